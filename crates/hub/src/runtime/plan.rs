//! What one boot is to bring up.

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
pub struct Plan {
    /// What the agent is told. Where it listens is for the provider to say.
    pub agent: Context,
    pub incarnation: Incarnation,
    pub secrets: Secrets,
    /// What people set for the session. What the platform sets counts more.
    pub environment: BTreeMap<String, SecretString>,
    pub origin: Origin,
    /// Whether the conversation in the snapshot is another session's: this one begins without it.
    pub is_of_another: bool,
    /// Repositories. One that a snapshot has already is brought up to date, and nothing in it is touched.
    pub repos: Vec<Checkout>,
    /// Written with the values that the session has.
    pub env_files: Vec<EnvFile>,
    /// Started where a snapshot has what they need.
    pub services: Vec<ServiceCommand>,
    pub limits: Limits,
    /// When the sandbox's life is over, if it has one.
    pub expires_at: Option<Timestamp>,
}

/// A repository to be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    /// As people call it.
    pub name: String,
    /// Below the workspace; `.` is the workspace itself.
    pub folder: String,
    /// Without one it begins empty.
    pub remote: Option<Remote>,
    /// The branch to begin on; where the repository has none of this name, it is its own first one.
    pub branch: Option<String>,
}

/// Where a repository is from. A sandbox gets it from the gateway, which has the credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    pub repo_id: RepoId,
    /// As it is written down in the sandbox.
    pub url: String,
}
