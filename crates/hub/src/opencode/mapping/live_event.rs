//! What follows from an event of the agent: a message for clients, or something that the loop of the session does.

use domain::limits::{AGENT_TITLE_LENGTH_MAX, ERROR_MESSAGE_LENGTH_MAX};
use wire::live::{LiveError, LiveErrorCode, ServerMessage};

use crate::opencode::{error::ExceededLimit, shapes::Permission};

/// What follows from what the agent sent.
#[derive(Debug, Clone, PartialEq)]
pub enum LiveEvent {
    /// A message for the log and all clients.
    Show(ServerMessage),
    /// The agent began to work.
    Busy,
    /// The agent has nothing to do any more.
    Idle,
    /// Something was missed: read the agent's record.
    Refetch,
    /// The agent has the prompt and does nothing about it: send it again, under the same ids.
    Unanswered { message_id: String },
    /// The agent asks for a permission.
    Permission(Permission),
    /// The agent sent more than is kept of an agent.
    Exceeded(ExceededLimit),
}

impl LiveEvent {
    pub(super) fn error(message: &str, code: LiveErrorCode, retryable: bool) -> Self {
        Self::Show(ServerMessage::Error(LiveError {
            message: message.to_owned(),
            code,
            retryable,
        }))
    }
}

/// Returns a title as clients are shown it.
pub(super) fn shown_title(text: &str) -> String {
    text.chars().take(AGENT_TITLE_LENGTH_MAX).collect()
}

/// Returns an error of the agent as clients are shown it.
pub(super) fn shown_error(text: &str) -> String {
    text.chars().take(ERROR_MESSAGE_LENGTH_MAX).collect()
}
