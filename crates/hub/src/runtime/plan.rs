//! What one boot is to bring up.

use std::collections::BTreeMap;

use agent::{Context, env::Secrets};
use domain::{
    caller::Incarnation,
    configuration::{EnvFile, ServiceCommand},
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
    /// Repositories, which a snapshot has already.
    pub repos: Vec<Checkout>,
    /// Written with the values that the session has.
    pub env_files: Vec<EnvFile>,
    /// Started where a snapshot has what they need.
    pub services: Vec<ServiceCommand>,
    pub limits: Limits,
}

/// A repository to be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    /// Below the workspace.
    pub folder: String,
    /// Where the sandbox gets it from: the gateway, which has the credentials. Without one it begins empty.
    pub url: Option<String>,
    pub branch: Option<String>,
}
