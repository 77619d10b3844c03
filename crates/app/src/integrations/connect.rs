//! Sends an admin's browser to a service to authorize the gateway there (RFC 6749, with proof keys by RFC 7636).
//!
//! INVARIANT: an attempt is good once, for ten minutes, for one person, organization and service, and in the
//! browser that began it: a link that is sent to another person connects nothing of theirs. Where the browser is
//! sent back to is ours and is taken from no request.

use ::integrations::{declaration, declarations};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{
    clock::random_bytes,
    id::{IntegrationId, OrganizationId},
    integration::ConnectAttempt,
    invalid::Invalid,
    limits::{CONNECT_ATTEMPT_LIFE, CONNECT_ATTEMPTS_MAX},
};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};
use store::{SealedAttempt, Tx};

use crate::{
    access::Admin,
    audit,
    context::App,
    error::{Error, Result},
};

/// The path at which people come back, below the advertised address.
pub const CALLBACK_PATH: &str = "/v1/integrations/callback";

/// What an admin wants to connect.
#[derive(Debug, Clone)]
pub struct ConnectRequest {
    /// Which service, e.g. `linear`.
    pub service: String,
    /// The connection that gets new credentials, if not a new one is made.
    pub reconnect: Option<IntegrationId>,
    /// An installation of the operator's GitHub App.
    pub installation_id: Option<i64>,
    /// What the browser has kept of an earlier attempt.
    pub browser: Option<SecretString>,
}

/// Where the browser is sent, and what it keeps meanwhile.
#[derive(Debug)]
pub struct ConnectRedirect {
    pub authorize_url: String,
    /// For the browser to keep and to bring back.
    pub browser: SecretString,
}

pub async fn connect(app: &App, admin: &Admin, wanted: ConnectRequest) -> Result<ConnectRedirect> {
    let Some(source) = declaration(&wanted.service) else {
        let names: Vec<&str> = declarations().map(|source| source.name).collect();
        let (last, others) = names.split_last().unwrap_or((&"", &[]));
        let message = format!(
            "must be {} or {last}; others are connected by a token",
            others.join(", ")
        );
        return Err(Invalid::new("integrationId", message).into());
    };
    check_installation(app, &wanted)?;
    let service = app.services.oauth.service(&wanted.service).ok_or_else(|| {
        let message = format!(
            "the operator of this gateway has not set up a client at {}; connect it by a token",
            source.display_name
        );
        Error::Conflict(message)
    })?;
    let (state, verifier) = (random_text(app), random_text(app));
    let browser = wanted.browser.clone().filter(is_ours);
    let browser = browser.unwrap_or_else(|| random_text(app));
    let now = app.now();
    let attempt = ConnectAttempt {
        organization_id: admin.organization_id().clone(),
        user_id: admin.user_id().clone(),
        redirect_uri: redirect_uri(app),
        integration_id: wanted.reconnect,
        installation_id: wanted.installation_id,
        created_at: now,
        expires_at: now.plus(CONNECT_ATTEMPT_LIFE),
        service: wanted.service,
    };
    let digest = state_digest(app, &state);
    let place = verifier_place(&attempt.organization_id, &digest);
    let sealed = SealedAttempt {
        sealed_verifier: app
            .keyring
            .seal(&*app.entropy, &place, verifier.expose_secret())?,
        attempt,
    };
    let mut tx = app.db.write().await?;
    check_place(&mut tx, app, &sealed.attempt).await?;
    let browser_digest = browser_digest(app, &browser);
    store::connect_attempt_insert(&mut tx, &digest, &browser_digest, &sealed).await?;
    audit::record_operation(&mut tx, app, admin, "connect_attempt_create", None).await?;
    tx.commit().await?;
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.expose_secret()));
    let redirect_uri = &sealed.attempt.redirect_uri;
    Ok(ConnectRedirect {
        authorize_url: service.authorize_url(redirect_uri, state.expose_secret(), &challenge),
        browser,
    })
}

fn check_installation(app: &App, wanted: &ConnectRequest) -> Result<()> {
    let Some(id) = wanted.installation_id else {
        return Ok(());
    };
    if wanted.service != "github" || id < 1 {
        let message = "is the number of an installation of a GitHub App, for github alone";
        return Err(Invalid::new("installationId", message).into());
    }
    if app.services.github_app.is_none() {
        let message = "the operator of this gateway has not set up a GitHub App";
        return Err(Error::Conflict(message.to_owned()));
    }
    Ok(())
}

/// That there is room for one more, and that what is to be connected again is there.
async fn check_place(tx: &mut Tx, app: &App, attempt: &ConnectAttempt) -> Result<()> {
    let organization_id = &attempt.organization_id;
    store::connect_attempt_delete_expired(tx, organization_id, app.now()).await?;
    if store::connect_attempt_count(tx, organization_id).await? >= CONNECT_ATTEMPTS_MAX {
        let message =
            format!("{CONNECT_ATTEMPTS_MAX} attempts to connect are open; try again later");
        return Err(Error::LimitReached(message));
    }
    if let Some(id) = attempt.integration_id {
        let found = store::integration_fetch(tx, organization_id, id).await?;
        let found = found.ok_or(Error::NotFound("integration"))?;
        if found.service != attempt.service {
            return Err(Invalid::new("reconnect", "is a connection to another service").into());
        }
    }
    Ok(())
}

fn redirect_uri(app: &App) -> String {
    let base = app.instance.advertised_url.trim_end_matches('/');
    format!("{base}{CALLBACK_PATH}")
}

/// 256 random bits, in the letters of a verifier and a URL.
fn random_text(app: &App) -> SecretString {
    let bytes: [u8; 32] = random_bytes(&*app.entropy);
    SecretString::from(URL_SAFE_NO_PAD.encode(bytes))
}

/// Whether a browser's text has the shape of ours. Whose it is shows by its digest.
fn is_ours(text: &SecretString) -> bool {
    let decoded = URL_SAFE_NO_PAD.decode(text.expose_secret());
    decoded.is_ok_and(|bytes| bytes.len() == 32)
}

pub(super) fn state_digest(app: &App, state: &SecretString) -> String {
    let bytes = state.expose_secret().as_bytes();
    app.keyring.digest("connect-state", bytes)
}

pub(super) fn browser_digest(app: &App, browser: &SecretString) -> String {
    let bytes = browser.expose_secret().as_bytes();
    app.keyring.digest("connect-browser", bytes)
}

/// The place a verifier is sealed for.
pub(super) fn verifier_place(organization_id: &OrganizationId, state_digest: &str) -> String {
    format!("connect:{organization_id}:{state_digest}")
}
