//! The logs that the sequencer signs next.

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use domain::id::OrganizationId;
use tokio::sync::Notify;

/// The logs that have grown by enough to be signed.
#[derive(Debug, Default)]
pub(crate) struct DueLogs {
    logs: Mutex<BTreeSet<OrganizationId>>,
    added: Notify,
}

impl DueLogs {
    pub(super) fn add(&self, logs: BTreeSet<OrganizationId>) {
        self.logs().extend(logs);
        self.added.notify_one();
    }

    pub(super) fn take(&self) -> BTreeSet<OrganizationId> {
        std::mem::take(&mut *self.logs())
    }

    /// Waits until a log was added since the last wait.
    pub(super) async fn added(&self) {
        self.added.notified().await;
    }

    fn logs(&self) -> MutexGuard<'_, BTreeSet<OrganizationId>> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
