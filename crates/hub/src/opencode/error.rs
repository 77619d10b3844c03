//! Why the agent could not be asked. The verdict is made here, where the answer is understood.

/// Whether the same request may go well later. Every request of ours can be repeated without harm: prompts
/// carry their own ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    Never,
    Later,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    #[error("the agent cannot be reached")]
    Unreachable,
    #[error("the agent did not answer in time")]
    Timeout,
    #[error("the agent does not know it")]
    NotFound,
    #[error("the agent refused ({status}): {message}")]
    Refused { status: u16, message: String },
    #[error("the agent failed ({status}): {message}")]
    Failed { status: u16, message: String },
    #[error("the agent's answer cannot be understood: {0}")]
    Protocol(String),
    #[error("the agent's answer is larger than {0} bytes")]
    TooLarge(usize),
}

impl AgentError {
    pub fn retry(&self) -> Retry {
        match self {
            Self::Unreachable
            | Self::Timeout
            | Self::Failed { .. }
            | Self::Refused { status: 429, .. } => Retry::Later,
            Self::NotFound | Self::Refused { .. } | Self::Protocol(_) | Self::TooLarge(_) => {
                Retry::Never
            }
        }
    }
}

impl From<reqwest::Error> for AgentError {
    /// Without the error's own text, which holds the address.
    fn from(error: reqwest::Error) -> Self {
        if error.is_timeout() {
            Self::Timeout
        } else if error.is_decode() {
            Self::Protocol("not what was expected".into())
        } else {
            Self::Unreachable
        }
    }
}
