//! Finds the repository that a request is for, and the credential for its server.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::{
    id::{OrganizationId, RepoId, SessionId},
    repo::{Repo, RepoSource},
    secret::{GIT_CREDENTIAL, SecretScope, associated_data},
};
use percent_encoding::percent_decode_str;
use reqwest::{Url, header::HeaderValue};
use secrecy::{ExposeSecret as _, SecretString};
use zeroize::Zeroizing;

use crate::{
    context::App,
    error::{Error, Result},
    integrations::{self, Credential},
};

/// GitHub's user name for a token of any kind.
const TOKEN_USER: &str = "x-access-token";

/// The credential for a repository's server.
#[derive(Debug)]
pub(super) enum GitCredential {
    /// A token of the session's connection, which may be renewed.
    Connection(Credential),
    /// The repository's own, from its secrets.
    Own(SecretString),
    None,
}

/// The repository of a session's configuration, with where it is.
pub(super) async fn repo_of_session(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
    repo_id: RepoId,
) -> Result<(Repo, Url)> {
    let mut conn = app.db.read().await?;
    let session = store::session_fetch(&mut conn, organization_id, session_id).await?;
    let session = session.ok_or(Error::NotFound("session"))?;
    let unknown = || Error::NotFound("repository in this session");
    let configuration = session.configuration_id.ok_or_else(unknown)?;
    let configuration =
        store::configuration_fetch(&mut conn, organization_id, configuration).await?;
    let repos = configuration.map(|one| one.repos).unwrap_or_default();
    if !repos.iter().any(|one| one.repo_id == repo_id) {
        return Err(unknown());
    }
    let repo = store::repo_fetch(&mut conn, organization_id, repo_id).await?;
    let repo = repo.ok_or_else(unknown)?;
    let url = repo.url.as_deref().and_then(|url| Url::parse(url).ok());
    Ok((repo, url.ok_or_else(unknown)?))
}

impl GitCredential {
    /// INVARIANT: what it returns is of the URL's own origin. Any member may write down a repository's address.
    pub(super) async fn find(
        app: &App,
        session_id: SessionId,
        repo: &Repo,
        url: &Url,
    ) -> Result<Self> {
        if let Some(own) = own(app, repo, url).await? {
            return Ok(Self::Own(own));
        }
        let origin = url.origin().ascii_serialization();
        if repo.source != RepoSource::Github || origin != app.services.github_origin {
            return Ok(Self::None);
        }
        let organization_id = &repo.organization_id;
        let found = integrations::for_source(app, organization_id, session_id, "github").await?;
        match found {
            None => Ok(Self::None),
            Some(found) => integrations::get_token(app, organization_id, found.id)
                .await
                .map(Self::Connection),
        }
    }

    /// The header, which is never printed.
    pub(super) fn header(&self) -> Option<HeaderValue> {
        let user_and_password = match self {
            Self::None => return None,
            Self::Own(own) => Zeroizing::new(own.expose_secret().to_owned()),
            Self::Connection(credential) => {
                Zeroizing::new(format!("{TOKEN_USER}:{}", credential.token.expose_secret()))
            }
        };
        let encoded = BASE64_STANDARD.encode(user_and_password.as_bytes());
        let encoded = Zeroizing::new(format!("Basic {encoded}"));
        let mut header = HeaderValue::from_str(&encoded).ok()?;
        header.set_sensitive(true);
        Some(header)
    }

    /// A renewed credential, if the server rejected this one.
    pub(super) async fn renewed(&self, app: &App) -> Option<Self> {
        let Self::Connection(credential) = self else {
            return None;
        };
        let renewed = integrations::renew_refused(app, credential).await;
        renewed.ok().map(Self::Connection)
    }
}

/// The repository's own credential as `USER:PASSWORD`, if there is one for this origin.
async fn own(app: &App, repo: &Repo, url: &Url) -> Result<Option<SecretString>> {
    let (organization_id, scope) = (&repo.organization_id, SecretScope::Repo(repo.id));
    let mut conn = app.db.read().await?;
    let sealed =
        store::secret_fetch_sealed(&mut conn, organization_id, scope, GIT_CREDENTIAL).await?;
    let Some(sealed) = sealed else {
        return Ok(None);
    };
    let associated = associated_data(organization_id, scope, GIT_CREDENTIAL);
    let text = app.keyring.open(&associated, &sealed)?;
    let Ok(given) = Url::parse(text.expose_secret()) else {
        return Ok(None);
    };
    if given.origin() != url.origin() {
        return Ok(None);
    }
    let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let password = plain(given.password().unwrap_or_default());
    Ok(Some(
        format!("{}:{password}", plain(given.username())).into(),
    ))
}
