//! Boot errors, with the sentences that clients are shown.

use app::{Error, admission::AdmissionDenied};

use crate::{
    runtime::{BootStepError, MachineUnavailable},
    session::{BootError, BootErrorCause},
};

/// A boot that no retry can make succeed.
pub(crate) fn never(message: &str) -> BootError {
    BootError {
        message: message.to_owned(),
        retryable: false,
        cause: BootErrorCause::Failed,
    }
}

/// A boot that may succeed later.
pub(crate) fn retry_later(message: &str) -> BootError {
    BootError {
        message: message.to_owned(),
        retryable: true,
        cause: BootErrorCause::Failed,
    }
}

/// The session is over its budget: it is paused and resumes when the budget allows it.
pub(super) fn over_budget(message: String) -> BootError {
    BootError {
        message,
        retryable: false,
        cause: BootErrorCause::OverBudget,
    }
}

/// The organization has as many live sessions or sandboxes as it may. Another one may end in a moment.
fn limit_reached(message: String) -> BootError {
    BootError {
        message,
        retryable: true,
        cause: BootErrorCause::LimitReached,
    }
}

/// What keeps a session from starting: a limit, or the database.
pub(super) fn not_startable(error: Error) -> BootError {
    match error {
        Error::LimitReached(message) => limit_reached(message),
        Error::Store(error) => store_unavailable(error),
        error => {
            tracing::warn!(%error, "cannot read whether a session may start");
            retry_later("the gateway cannot read whether the session may start")
        }
    }
}

/// The operator's admission service does not admit the session.
pub(super) fn not_admitted(denied: AdmissionDenied) -> BootError {
    BootError {
        message: denied.reason,
        retryable: denied.retryable,
        cause: BootErrorCause::AdmissionDenied,
    }
}

/// A step of the boot failed.
pub(crate) fn step_failed(error: &BootStepError) -> BootError {
    BootError {
        message: error.to_string(),
        retryable: error.is_retryable(),
        cause: BootErrorCause::Failed,
    }
}

/// This process cannot run sandboxes.
pub(super) fn machine_unavailable(unavailable: MachineUnavailable) -> BootError {
    BootError {
        message: unavailable.reason,
        retryable: unavailable.retryable,
        cause: BootErrorCause::Failed,
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
