//! An agent as the loop of its session knows it: how it is reached, and why it is not there.

use crate::opencode::{AgentClient, PromptModel};

/// An agent that answers.
#[derive(Debug, Clone)]
pub struct BootedAgent {
    pub client: AgentClient,
    /// The agent's own id of the session.
    pub agent_session: String,
    pub model: PromptModel,
    /// Sent with every prompt: the agent forgets it.
    pub system: Option<String>,
}

/// Why there is no agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BootError {
    /// A sentence for clients.
    pub message: String,
    pub retryable: bool,
    pub cause: BootErrorCause,
}

/// What kept an agent from being booted, where a program must tell it apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BootErrorCause {
    Failed,
    /// Nothing failed: the session is over its budget or a limit of its organization, and is paused.
    OverBudget,
    /// The organization has as many live sessions or sandboxes as it may.
    LimitReached,
    /// The operator's admission service does not admit it.
    AdmissionDenied,
}

pub(super) type BootResult<T> = Result<T, BootError>;

/// Whether a sandbox is alive. Nothing is done on `Unknown`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Liveness {
    Alive,
    Dead,
    Unknown,
}
