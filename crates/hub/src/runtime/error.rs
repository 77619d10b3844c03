//! Why a boot failed, and at which step.

use agent::install::InstallationProblem;

use crate::{
    opencode::{AgentError, Retry as AgentRetry},
    runtime::Step,
};

#[derive(Debug, thiserror::Error)]
pub enum BootStepError {
    #[error("{step}: {error}")]
    Sandbox { step: Step, error: sandbox::Error },
    /// The agent's program was removed from this machine.
    #[error("the agent is missing: {0}")]
    Missing(#[from] InstallationProblem),
    #[error("ready: {0}")]
    Agent(#[from] AgentError),
    /// One of our programs in the sandbox failed. Its output is logged; only git's message about a repository is shown.
    #[error("{step}: {reason}")]
    Failed { step: Step, reason: String },
}

impl BootStepError {
    /// Whether a retry may succeed.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Sandbox { error, .. } => error.retry() != sandbox::Retry::Never,
            // A retry installs nothing.
            Self::Missing(_) => false,
            Self::Agent(error) => error.retry() != AgentRetry::Never,
            Self::Failed { step, .. } => *step != Step::Repositories,
        }
    }

    pub(super) fn of(step: Step) -> impl Fn(sandbox::Error) -> Self {
        move |error| Self::Sandbox { step, error }
    }
}
