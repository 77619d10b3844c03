//! The refusals that this process has counted and not recorded yet.

use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::audit::Refusals;

/// The refusals of this process that are to be folded.
#[derive(Debug, Default)]
pub(crate) struct RefusalCounts(Mutex<Refusals>);

impl RefusalCounts {
    pub(super) fn lock(&self) -> MutexGuard<'_, Refusals> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
