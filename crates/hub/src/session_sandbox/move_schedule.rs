//! When a session is to be moved to another sandbox: before its own expires, or again after a move that failed.

use std::sync::Mutex;

use domain::{clock::Timestamp, limits::MIGRATION_TRIES_MAX, migration};
use wire::live::MigrationReason;

/// Decides when the next move of one session is due.
#[derive(Debug, Default)]
pub(crate) struct MoveSchedule(Mutex<MoveRetry>);

/// What follows from the moves that failed so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum MoveRetry {
    /// None failed.
    #[default]
    None,
    At {
        at: Timestamp,
        reason: MigrationReason,
        failed: u32,
    },
    /// Too many failed, or there is no time for another.
    Never,
}

impl MoveSchedule {
    /// Returns why the session is to be moved now, if it is. `expires_at` is when its sandbox ends by itself.
    pub(crate) fn due_reason(
        &self,
        now: Timestamp,
        expires_at: Option<Timestamp>,
    ) -> Option<MigrationReason> {
        match self.retry() {
            MoveRetry::Never => None,
            MoveRetry::At { at, reason, .. } => (at <= now).then_some(reason),
            MoveRetry::None => {
                (migration::due_at(expires_at?) <= now).then_some(MigrationReason::Expiry)
            }
        }
    }

    /// Records that a move failed, and returns when it is tried again.
    pub(crate) fn record_failure(
        &self,
        at: Option<Timestamp>,
        reason: MigrationReason,
    ) -> Option<Timestamp> {
        let failed = match self.retry() {
            MoveRetry::At { failed, .. } => failed + 1,
            MoveRetry::None | MoveRetry::Never => 1,
        };
        let at = at.filter(|_| failed < MIGRATION_TRIES_MAX);
        let retry = at.map(|at| MoveRetry::At { at, reason, failed });
        self.set_retry(retry.unwrap_or(MoveRetry::Never));
        at
    }

    /// Forgets failed moves: the session is in a new sandbox.
    pub(crate) fn reset(&self) {
        self.set_retry(MoveRetry::None);
    }

    fn retry(&self) -> MoveRetry {
        self.0.lock().map_or(MoveRetry::Never, |retry| *retry)
    }

    fn set_retry(&self, retry: MoveRetry) {
        if let Ok(mut found) = self.0.lock() {
            *found = retry;
        }
    }
}
