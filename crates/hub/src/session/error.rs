//! Why a live session did not do what was asked.

use super::agent::BootError;
use crate::opencode::AgentError;

/// Why a live session did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HubError {
    #[error("the session is no longer served here")]
    Gone,
    #[error(transparent)]
    Boot(#[from] BootError),
    #[error("the session is over")]
    Over,
    #[error("too many prompts wait for the session; try again when it runs")]
    Full,
    #[error(
        "the session moves to a fresh sandbox, and as many prompts wait as can; try again in a moment"
    )]
    MovingFull,
    #[error("the session is on its way to a fresh sandbox already")]
    Migrating,
    #[error("the session has no sandbox that it could move from")]
    NotUp,
    #[error("another prompt was sent under the same idempotency key")]
    KeyTaken,
    #[error("the prompt with its pictures is too large")]
    TooLarge,
    #[error(transparent)]
    Agent(#[from] AgentError),
}
