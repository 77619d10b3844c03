//! Which secrets a command is about.

use domain::id::{ConfigurationId, RepoId, SessionId};
use wire::secret::{SecretScope, SecretScopeKind};

use crate::{
    client::{Client, Selector},
    failure::Failure,
};

/// Those of the organization, or of one narrower scope.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
pub(super) struct SecretScopeArgs {
    /// Of this repo, by id, a part of it, or name (default: of the organization)
    #[arg(long, value_name = "REPO")]
    repo: Option<Selector<RepoId>>,
    /// Of this configuration, by id, a part of it, or name
    #[arg(long, value_name = "CONFIGURATION")]
    configuration: Option<Selector<ConfigurationId>>,
    /// Of this session, by id, a part of it, or title
    #[arg(long, value_name = "SESSION")]
    session: Option<Selector<SessionId>>,
}

impl SecretScopeArgs {
    /// `None` if no narrower scope is given.
    pub(super) async fn resolve(&self, client: &Client) -> Result<Option<SecretScope>, Failure> {
        let (kind, id) = if let Some(repo) = &self.repo {
            (
                SecretScopeKind::Repo,
                repo.resolve(client).await?.to_string(),
            )
        } else if let Some(configuration) = &self.configuration {
            let id = configuration.resolve(client).await?;
            (SecretScopeKind::Configuration, id.to_string())
        } else if let Some(session) = &self.session {
            (
                SecretScopeKind::Session,
                session.resolve(client).await?.to_string(),
            )
        } else {
            return Ok(None);
        };
        Ok(Some(SecretScope { kind, id: Some(id) }))
    }
}
