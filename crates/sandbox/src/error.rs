//! Why an operation on a sandbox failed, distinguished by what the caller can do about it.
//!
//! INVARIANT: no text here holds a value of the environment, a file's content or what a program printed.

use std::time::Duration;

use domain::limits::{SANDBOX_REASON_LENGTH_MAX, SANDBOX_RETRY_PAUSE};

pub type Result<T> = std::result::Result<T, Error>;

/// Whether the same call may succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// It would fail again.
    Never,
    /// It may succeed after this long.
    Later(Duration),
    /// Not in this sandbox; a new one, made from the last good snapshot, may.
    NewSandbox,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The sandbox is not there any more, or not this provider's.
    #[error("the sandbox is gone")]
    Gone,
    /// What was asked for is not in the sandbox.
    #[error("{what} is not there")]
    NotFound { what: String },
    /// The request is invalid: a path that leads out of the home directory, an invalid name.
    #[error("{reason}")]
    Invalid { reason: String },
    /// More bytes than one request may transfer.
    #[error("{what} has more than {max} bytes")]
    TooLarge { what: &'static str, max: u64 },
    /// There is no such snapshot.
    #[error("there is no snapshot {id}")]
    NoSnapshot { id: String },
    /// A snapshot is not what was stored. It is never restored.
    #[error("the snapshot {id} is damaged")]
    Damaged { id: String },
    /// It took longer than it may.
    #[error("{step} took too long")]
    TimedOut { step: &'static str },
    /// The machine has no room for another sandbox: addresses, disk, processes.
    #[error("no room for {what}")]
    Exhausted { what: &'static str },
    /// Something the provider needs failed.
    #[error("{step}: {reason}")]
    Failed { step: &'static str, reason: String },
}

impl Error {
    pub fn retry(&self) -> Retry {
        match self {
            Self::Gone => Retry::NewSandbox,
            Self::NotFound { .. }
            | Self::Invalid { .. }
            | Self::TooLarge { .. }
            | Self::NoSnapshot { .. }
            | Self::Damaged { .. } => Retry::Never,
            Self::TimedOut { .. } | Self::Exhausted { .. } | Self::Failed { .. } => {
                Retry::Later(SANDBOX_RETRY_PAUSE)
            }
        }
    }

    pub fn invalid(reason: impl Into<String>) -> Self {
        Self::Invalid {
            reason: reason.into(),
        }
    }

    /// A step that failed, with what is known of the reason: bounded, without control characters.
    #[expect(clippy::needless_pass_by_value, reason = "an error ends here")]
    pub fn failed(step: &'static str, reason: impl ToString) -> Self {
        let reason = reason.to_string();
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let reason: String = reason
            .trim()
            .chars()
            .map(plain)
            .take(SANDBOX_REASON_LENGTH_MAX)
            .collect();
        Self::Failed { step, reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_its_verdict() {
        let later = Retry::Later(SANDBOX_RETRY_PAUSE);
        let text = || "x".to_owned();
        for (error, expected) in [
            (Error::Gone, Retry::NewSandbox),
            (Error::NotFound { what: text() }, Retry::Never),
            (Error::invalid("x"), Retry::Never),
            (Error::TooLarge { what: "x", max: 1 }, Retry::Never),
            (Error::NoSnapshot { id: text() }, Retry::Never),
            (Error::Damaged { id: text() }, Retry::Never),
            (Error::TimedOut { step: "x" }, later),
            (Error::Exhausted { what: "x" }, later),
            (Error::failed("x", "y"), later),
        ] {
            assert_eq!(error.retry(), expected, "{error}");
        }
    }

    #[test]
    fn a_reason_is_one_short_line() {
        let error = Error::failed("mount", format!("\n a\nb\u{1b}[31m{}", "x".repeat(10_000)));
        let text = error.to_string();
        assert!(text.starts_with("mount: a b [31mxxx"), "{text}");
        assert!(text.chars().count() < SANDBOX_REASON_LENGTH_MAX + 20);
    }
}
