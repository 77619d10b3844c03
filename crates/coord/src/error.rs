//! How coordination fails. A caller retries what is unavailable, fixes what is refused, and splits
//! what is too large; there are no other reactions, so there are no other variants.
//!
//! INVARIANT: no text here contains a coordination URL, because it may carry a password.

use std::time::Duration;

type Source = Box<dyn std::error::Error + Send + Sync>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is unknown whether the operation happened. Retrying later is right.
    #[error("coordination is unavailable for {operation}")]
    Unavailable {
        operation: &'static str,
        #[source]
        source: Source,
    },
    /// The service responded, and will respond the same next time: a wrong password, a foreign
    /// value under one of the gateway's keys.
    #[error("coordination refused {operation}")]
    Refused {
        operation: &'static str,
        #[source]
        source: Source,
    },
    #[error("a message of {bytes} bytes is larger than {bytes_max}")]
    TooLarge { bytes: usize, bytes_max: usize },
    #[error("not a coordination URL: {reason}")]
    InvalidUrl { reason: &'static str },
}

impl Error {
    /// Whether a retry may succeed later.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }

    pub(crate) fn unavailable(operation: &'static str, source: impl Into<Source>) -> Self {
        Self::Unavailable {
            operation,
            source: source.into(),
        }
    }

    pub(crate) fn refused(operation: &'static str, source: impl Into<Source>) -> Self {
        Self::Refused {
            operation,
            source: source.into(),
        }
    }

    pub(crate) fn no_answer(operation: &'static str, waited: Duration) -> Self {
        Self::unavailable(operation, NoAnswer(waited))
    }
}

#[derive(Debug, thiserror::Error)]
#[error("no answer within {0:?}")]
struct NoAnswer(Duration);

/// A bounded map is full even without its expired entries.
#[derive(Debug, thiserror::Error)]
#[error("{entries_max} entries are in use")]
pub(crate) struct Full {
    pub(crate) entries_max: usize,
}
