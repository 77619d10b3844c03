//! Why a request to the agent failed. Whether a retry is useful is decided here, where the response is parsed.

/// Whether the same request may succeed later. Every request is idempotent: prompts carry their own ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    Never,
    Later,
}

/// Which limit the agent exceeded. It ends the session's agent: a real one stays far below, so another program answers, or the
/// agent is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ExceededLimit {
    #[error("an answer of more than {0} bytes")]
    Answer(usize),
    #[error("an event of more than {0} bytes")]
    Event(usize),
    #[error("a record of more than {0} pages")]
    Pages(usize),
    #[error("a page of more than {0} messages")]
    Page(usize),
    #[error("JSON of more than {0} levels")]
    Depth(usize),
    #[error("JSON that takes more than {0} bytes of memory")]
    Memory(usize),
    #[error("an id of more than {0} bytes")]
    Id(usize),
    #[error("a message of more than {0} bytes")]
    Message(usize),
    #[error("more than {0} bytes of messages that do not end")]
    Open(usize),
    #[error("more than {0} messages and parts that do not end")]
    Parts(usize),
    #[error("more than {0} bytes in all")]
    Total(u64),
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
    #[error("the agent sent {0}, which is more than the gateway reads")]
    Exceeded(#[from] ExceededLimit),
}

impl AgentError {
    pub fn retry(&self) -> Retry {
        match self {
            Self::Unreachable
            | Self::Timeout
            | Self::Failed { .. }
            | Self::Refused { status: 429, .. } => Retry::Later,
            Self::NotFound | Self::Refused { .. } | Self::Protocol(_) | Self::Exceeded(_) => {
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
