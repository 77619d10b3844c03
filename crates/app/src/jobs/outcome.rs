//! Outcomes of jobs that failed.

use domain::job::JobOutcome;

use crate::sessions::ProvisionError;

pub(super) fn failed(error: &str, retryable: bool) -> JobOutcome {
    JobOutcome::Failed {
        error: error.to_owned(),
        retryable,
    }
}

pub(super) fn refused(error: &ProvisionError) -> JobOutcome {
    failed(&error.message, error.retryable)
}
