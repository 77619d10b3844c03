//! The plan of one boot.

use std::collections::BTreeMap;

use agent::{Context, env::Secrets};
use domain::{
    caller::Incarnation,
    clock::Timestamp,
    configuration::{EnvFile, ServiceCommand},
    id::RepoId,
};
use sandbox::{Limits, Origin};
use secrecy::SecretString;

/// One boot of a session's sandbox.
#[derive(Debug)]
pub struct BootPlan {
    /// The agent's configuration. The provider decides its listen address.
    pub agent: Context,
    pub incarnation: Incarnation,
    pub secrets: Secrets,
    /// Variables that users set for the session. Those of the platform override them.
    pub environment: BTreeMap<String, SecretString>,
    pub origin: Origin,
    /// Whether the snapshot contains the conversation of another session: it is removed.
    pub has_foreign_conversation: bool,
    /// Repositories. One that the snapshot contains is fetched, and its work tree stays as it is.
    pub repos: Vec<Checkout>,
    /// Env files, written with the values of the session.
    pub env_files: Vec<EnvFile>,
    /// Services, started if the snapshot has what they need.
    pub services: Vec<ServiceCommand>,
    pub limits: Limits,
    /// When the sandbox expires, if it does.
    pub expires_at: Option<Timestamp>,
}

/// A repository to check out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    /// Its display name.
    pub name: String,
    /// A path below the workspace; `.` is the workspace itself.
    pub folder: String,
    /// Without a remote the repository is empty.
    pub remote: Option<Remote>,
    /// The branch to check out; the default branch if the repository has none of this name.
    pub branch: Option<String>,
}

/// The remote of a repository. A sandbox fetches it through the gateway, which has the credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    pub repo_id: RepoId,
    /// The URL as the sandbox stores it.
    pub url: String,
}
