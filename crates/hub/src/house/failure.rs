//! Why a session's agent cannot be brought up, in sentences for people.

use crate::{
    runtime::{self, Closed},
    session::BootError,
};

pub(super) fn never(message: &str) -> BootError {
    BootError {
        message: message.to_owned(),
        retryable: false,
        is_withheld: false,
    }
}

pub(super) fn later(message: &str) -> BootError {
    BootError {
        message: message.to_owned(),
        retryable: true,
        is_withheld: false,
    }
}

/// The session is paused, and goes on when it may.
pub(super) fn withheld(message: String) -> BootError {
    BootError {
        message,
        retryable: false,
        is_withheld: true,
    }
}

/// It was tried.
pub(super) fn booting(error: &runtime::BootError) -> BootError {
    BootError {
        message: error.to_string(),
        retryable: error.is_retryable(),
        is_withheld: false,
    }
}

pub(super) fn closed(closed: Closed) -> BootError {
    BootError {
        message: closed.reason,
        retryable: closed.retryable,
        is_withheld: false,
    }
}

pub(super) fn other_owner() -> BootError {
    never("the session has another owner, or was stopped")
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
pub(super) fn unavailable(error: store::Error) -> BootError {
    tracing::warn!(%error, "a session cannot be read or written");
    later("the database does not answer")
}
