//! How a move to another sandbox ended.

use domain::clock::Timestamp;

use super::agent::BootedAgent;

/// The end of a move, for the loop of the session and its clients.
#[derive(Debug)]
pub struct MoveReport {
    pub outcome: MoveOutcome,
    /// When the sandbox that the session is in now ends by itself.
    pub expires_at: Option<Timestamp>,
    /// What was not carried over.
    pub lost: Vec<String>,
    /// The agent was stopped in the middle of its turn.
    pub is_cut: bool,
}

#[derive(Debug)]
pub enum MoveOutcome {
    /// This is the agent now.
    Completed(Box<BootedAgent>),
    /// The old agent stays.
    Failed {
        error: String,
        retry_at: Option<Timestamp>,
    },
    /// There is no agent now.
    Stranded { error: String },
}

impl MoveOutcome {
    pub(super) fn error(&self) -> Option<&str> {
        match self {
            Self::Completed(_) => None,
            Self::Failed { error, .. } | Self::Stranded { error } => Some(error),
        }
    }

    pub(super) const fn retry_at(&self) -> Option<Timestamp> {
        match self {
            Self::Failed { retry_at, .. } => *retry_at,
            Self::Completed(_) | Self::Stranded { .. } => None,
        }
    }
}
