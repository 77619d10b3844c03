//! What sessions need from other parts: a sandbox.

use std::{collections::BTreeMap, time::Duration};

use async_trait::async_trait;
use domain::{instance::Load, session::Session};
use secrecy::SecretString;

/// Variables ready for a sandbox, and the names of those that could not be opened.
#[derive(Debug)]
pub struct Environment {
    pub variables: BTreeMap<String, SecretString>,
    /// Sealed under a key this deployment does not have, or altered; left out, never guessed.
    pub unreadable: Vec<String>,
}

/// Makes the sandbox of a session that needs one at once, and removes it when the session is over.
#[async_trait]
pub trait Provisioner: Send + Sync + std::fmt::Debug {
    async fn provision(
        &self,
        session: &Session,
        environment: Environment,
    ) -> Result<(), ProvisionError>;

    /// Waits until the session's agent has ended its turn, at most so long.
    async fn settle(&self, session: &Session, at_most: Duration);

    /// Removes the sandbox of a session that is over. That there is none is no error.
    async fn dismiss(&self, session: &Session) -> Result<(), ProvisionError>;

    /// The live sessions of this process, counted.
    async fn load(&self) -> Load {
        Load::default()
    }

    /// Whether this process can act on sandboxes at all.
    fn has_sandboxes(&self) -> bool {
        false
    }

    /// Moves or pauses a session whose sandbox ends soon, unless it is served here: then that is under way.
    async fn expire(&self, _: &Session) -> Result<ExpiryOutcome, ProvisionError> {
        Err(none())
    }

    /// Lets a session go on that rested for its budget, wherever it is served, or here if it is served nowhere.
    async fn go_on(&self, _: &Session) -> Result<GoOnOutcome, ProvisionError> {
        Err(none())
    }

    /// Removes a sandbox that its session has left. That it is gone is no error.
    async fn remove(&self, _: &Session, _: &str) -> Result<(), ProvisionError> {
        Err(none())
    }
}

/// What became of a session whose sandbox ends soon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpiryOutcome {
    /// An instance serves the session and handles it.
    Served,
    /// This instance has moved or paused it.
    Handled,
}

/// Where a session goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoOnOutcome {
    Here,
    /// The instance that serves it was requested to do it.
    Requested,
}

/// Why there is no sandbox.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProvisionError {
    pub message: String,
    pub retryable: bool,
}

/// Stands where no sandbox provider is configured: says so, instead of pretending.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProvisioner;

#[async_trait]
impl Provisioner for NoProvisioner {
    async fn provision(&self, _: &Session, _: Environment) -> Result<(), ProvisionError> {
        Err(none())
    }

    async fn settle(&self, _: &Session, _: Duration) {}

    async fn dismiss(&self, _: &Session) -> Result<(), ProvisionError> {
        Err(none())
    }
}

fn none() -> ProvisionError {
    ProvisionError {
        message: "no sandbox provider is configured on this gateway".to_owned(),
        retryable: false,
    }
}
