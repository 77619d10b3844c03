//! Boot errors, with the sentences that clients are shown.

use crate::{
    runtime::{BootStepError, MachineUnavailable},
    session::BootError,
};

/// A boot that no retry can make succeed.
pub(crate) fn never(message: &str) -> BootError {
    BootError {
        message: message.to_owned(),
        retryable: false,
        is_withheld: false,
    }
}

/// A boot that may succeed later.
pub(crate) fn retry_later(message: &str) -> BootError {
    BootError {
        message: message.to_owned(),
        retryable: true,
        is_withheld: false,
    }
}

/// The session is over its budget: it is paused and resumes when the budget allows it.
pub(super) fn over_budget(message: String) -> BootError {
    BootError {
        message,
        retryable: false,
        is_withheld: true,
    }
}

/// A step of the boot failed.
pub(crate) fn step_failed(error: &BootStepError) -> BootError {
    BootError {
        message: error.to_string(),
        retryable: error.is_retryable(),
        is_withheld: false,
    }
}

/// This process cannot run sandboxes.
pub(super) fn machine_unavailable(unavailable: MachineUnavailable) -> BootError {
    BootError {
        message: unavailable.reason,
        retryable: unavailable.retryable,
        is_withheld: false,
    }
}

pub(super) fn other_owner() -> BootError {
    never("the session has another owner, or was stopped")
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
pub(super) fn store_unavailable(error: store::Error) -> BootError {
    tracing::warn!(%error, "cannot read or write a session");
    retry_later("the database does not answer")
}
