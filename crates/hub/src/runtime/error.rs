//! Why a boot came to nothing, with the step it ended at.

use agent::install::Missing;

use crate::{
    opencode::{AgentError, Retry as AgentRetry},
    runtime::Step,
};

#[derive(Debug, thiserror::Error)]
pub enum BootError {
    #[error("{step}: {error}")]
    Sandbox { step: Step, error: sandbox::Error },
    /// The agent was there, and is not any more.
    #[error("the agent is missing: {0}")]
    Missing(#[from] Missing),
    #[error("ready: {0}")]
    Agent(#[from] AgentError),
    /// A program of ours inside did not succeed. Its words are for the log, but for what git says of a repository.
    #[error("{step}: {reason}")]
    Failed { step: Step, reason: String },
}

impl BootError {
    /// Whether another try may succeed.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Sandbox { error, .. } => error.retry() != sandbox::Retry::Never,
            // Waiting installs nothing.
            Self::Missing(_) => false,
            Self::Agent(error) => error.retry() != AgentRetry::Never,
            Self::Failed { step, .. } => *step != Step::Repositories,
        }
    }

    pub(super) fn of(step: Step) -> impl Fn(sandbox::Error) -> Self {
        move |error| Self::Sandbox { step, error }
    }
}
