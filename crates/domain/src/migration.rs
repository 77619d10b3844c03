//! The migration of a session to a fresh sandbox, as steps: the next step follows from the result of the last, and from
//! the remaining life of the old sandbox. Performs no step itself.
//!
//! INVARIANT: the old sandbox is left only by [`MigrationStep::CutOver`], and its unsaved work is given up (an older snapshot
//! instead of a new one) only if it is dead, or will be before another attempt.

use std::time::Duration;

use crate::{
    clock::Timestamp,
    limits::{
        MIGRATION_AHEAD, MIGRATION_BOOT_RESERVE, MIGRATION_QUIESCE_MAX, MIGRATION_RETRY_AFTER,
        MIGRATION_SNAPSHOT_PAUSES,
    },
};

/// When a session whose sandbox expires at this time is migrated.
pub fn due_at(expires_at: Timestamp) -> Timestamp {
    expires_at.minus(MIGRATION_AHEAD)
}

/// The next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MigrationStep {
    /// Wait until the agent has ended its turn, within a bound.
    Settle,
    /// Stop it in the middle of its turn.
    Cancel,
    /// Wait until programs in the sandbox stop writing, within a bound.
    Quiesce,
    /// Save the old sandbox, after a pause.
    Snapshot { after: Duration, tried: usize },
    /// Create a sandbox and boot the agent in it, until its event stream is connected.
    Boot(SuccessorOrigin),
    /// Record that the session is in the new sandbox, and release the old one.
    CutOver,
}

/// What the new sandbox starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuccessorOrigin {
    /// The snapshot just taken.
    Now,
    /// The last good snapshot; later changes are lost.
    LastGood,
}

/// The result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepResult {
    Done,
    /// It did not finish in time, or failed.
    Failed,
    /// The old sandbox is dead.
    OldDied,
    /// The migration lock is lost: another instance may be migrating.
    Unlocked,
    /// The session has another owner, or has ended.
    NotOurs,
}

/// How a migration ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MigrationEnd {
    /// In the new sandbox.
    Completed,
    /// In the old one, as before.
    Resumed { retry_at: Option<Timestamp> },
    /// Without a sandbox; the old one is dead.
    Stranded,
    /// Another instance owns the session; nothing more to do.
    LostSession,
}

/// One migration under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migration {
    /// When the old sandbox expires, if it does.
    pub expires_at: Option<Timestamp>,
    /// Whether there is an older snapshot to start from.
    pub has_last_good: bool,
    pub step: MigrationStep,
    /// The agent was stopped in the middle of its turn.
    pub is_cut: bool,
}

impl Migration {
    pub const fn begin(expires_at: Option<Timestamp>, has_last_good: bool) -> Self {
        Self {
            expires_at,
            has_last_good,
            step: MigrationStep::Settle,
            is_cut: false,
        }
    }

    /// Returns the step that follows a result.
    pub fn after(self, result: StepResult, now: Timestamp) -> Result<Self, MigrationEnd> {
        match result {
            StepResult::NotOurs => return Err(MigrationEnd::LostSession),
            StepResult::Unlocked => return Err(self.resumed(now)),
            StepResult::OldDied => return self.without_old(),
            StepResult::Done | StepResult::Failed => {}
        }
        let is_done = result == StepResult::Done;
        let step = match (self.step, is_done) {
            (MigrationStep::Settle, false) => MigrationStep::Cancel,
            (MigrationStep::Settle, true) | (MigrationStep::Cancel, _) => self.quiesce(now),
            (MigrationStep::Quiesce, _) => MigrationStep::Snapshot {
                after: Duration::ZERO,
                tried: 0,
            },
            (MigrationStep::Snapshot { .. }, true) => MigrationStep::Boot(SuccessorOrigin::Now),
            (MigrationStep::Snapshot { tried, .. }, false) => return self.not_saved(tried, now),
            (MigrationStep::Boot(_), true) => MigrationStep::CutOver,
            // Not recorded: the same as a failed boot.
            (MigrationStep::Boot(_) | MigrationStep::CutOver, false) => {
                return Err(self.resumed(now));
            }
            (MigrationStep::CutOver, true) => return Err(MigrationEnd::Completed),
        };
        let is_cut = self.is_cut || self.step == MigrationStep::Cancel;
        Ok(Self {
            step,
            is_cut,
            ..self
        })
    }

    /// Waits for programs if there is time.
    fn quiesce(&self, now: Timestamp) -> MigrationStep {
        if self.has_time(now, MIGRATION_QUIESCE_MAX) {
            return MigrationStep::Quiesce;
        }
        MigrationStep::Snapshot {
            after: Duration::ZERO,
            tried: 0,
        }
    }

    fn not_saved(self, tried: usize, now: Timestamp) -> Result<Self, MigrationEnd> {
        let pause = MIGRATION_SNAPSHOT_PAUSES.get(tried).copied();
        let step = match pause.filter(|pause| self.has_time(now, *pause)) {
            Some(after) => MigrationStep::Snapshot {
                after,
                tried: tried + 1,
            },
            None if self.is_last_chance(now) && self.has_last_good => {
                MigrationStep::Boot(SuccessorOrigin::LastGood)
            }
            None => return Err(self.resumed(now)),
        };
        Ok(Self { step, ..self })
    }

    /// The old sandbox is dead: its last snapshot is all there is.
    fn without_old(self) -> Result<Self, MigrationEnd> {
        match self.step {
            MigrationStep::Boot(_) | MigrationStep::CutOver => Err(MigrationEnd::Stranded),
            _ if self.has_last_good => Ok(Self {
                step: MigrationStep::Boot(SuccessorOrigin::LastGood),
                ..self
            }),
            _ => Err(MigrationEnd::Stranded),
        }
    }

    const fn resumed_at(retry_at: Option<Timestamp>) -> MigrationEnd {
        MigrationEnd::Resumed { retry_at }
    }

    fn resumed(&self, now: Timestamp) -> MigrationEnd {
        let again = now.plus(MIGRATION_RETRY_AFTER);
        Self::resumed_at(Some(again).filter(|_| !self.is_last_chance(now)))
    }

    /// Whether there is no time for another attempt.
    fn is_last_chance(&self, now: Timestamp) -> bool {
        !self.has_time(now, MIGRATION_RETRY_AFTER)
    }

    /// Whether a boot still fits after so long.
    fn has_time(&self, now: Timestamp, after: Duration) -> bool {
        let needed = now.plus(after).plus(MIGRATION_BOOT_RESERVE);
        self.expires_at.is_none_or(|ends| needed <= ends)
    }
}

#[cfg(test)]
mod tests;
