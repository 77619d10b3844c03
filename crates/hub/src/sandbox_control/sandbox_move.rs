//! Moves one session to a new sandbox: executes the steps that `domain::migration` decides, and reports what was seen.
//!
//! INVARIANT: runs in a task of its own, to its end even if no caller waits. A successor that the session did not move to is
//! destroyed; the old sandbox is destroyed only after the cut-over.

use std::{sync::Arc, time::Duration};

use backon::{ConstantBuilder, Retryable as _};
use coord::HeldLease;
use domain::{
    limits::{
        HUB_WRITE_RETRY_DELAY, HUB_WRITE_TRIES, MIGRATION_CANCEL_MAX, MIGRATION_QUIESCE_EVERY,
        MIGRATION_QUIESCE_LOOK_MAX, MIGRATION_QUIESCE_MAX, MIGRATION_SETTLE_EVERY,
        MIGRATION_SETTLE_MAX,
    },
    migration::{Migration, MigrationEnd, MigrationStep, StepResult, SuccessorOrigin},
};
use sandbox::{ExecRequest, Handle as Sandbox, Liveness};
use tokio::time::{sleep, timeout};
use wire::live::{BootStage, MigrationReason};

use super::successor::{Successor, SuccessorBoot};
use crate::{
    registry::SessionEntry,
    runtime::Machine,
    session::{BootError, BootStages, Handle, HubError, MoveOutcome, MoveReport},
    session_sandbox::{SaveError, SessionSandbox, destroy_sandbox},
};

const CUT: &str = "The agent was stopped in the middle of its turn.";
const FORGOTTEN: &str = "The agent does not remember the conversation so far.";

/// One move of one session.
pub(super) struct SandboxMove {
    pub(super) handle: Handle,
    pub(super) sandbox: SessionSandbox,
    pub(super) machine: Machine,
    pub(super) entry: Arc<SessionEntry>,
    pub(super) lease: HeldLease,
    pub(super) stages: BootStages,
    pub(super) reason: MigrationReason,
    /// The sandbox that the session is in.
    pub(super) old: Sandbox,
    pub(super) has_last_good: bool,
}

/// What the move has made so far.
#[derive(Default)]
struct MoveProgress {
    successor: Option<Successor>,
    is_cut_over: bool,
    lost: Vec<String>,
    error: Option<String>,
}

impl SandboxMove {
    pub(super) async fn run(self) {
        let clock = Arc::clone(&self.sandbox.record().app.clock);
        let mut migration = Migration::begin(self.old.expires_at, self.has_last_good);
        let mut progress = MoveProgress::default();
        // SuccessorOrigin the first snapshot on, nothing else changes the sandbox.
        let mut turn = None;
        let end = loop {
            if matches!(
                migration.step,
                MigrationStep::Snapshot { .. } | MigrationStep::Boot(_)
            ) && turn.is_none()
            {
                self.entry.hold_calls(true);
                turn = Some(self.sandbox.turn().await);
            }
            let seen = if self.handle.is_gone() {
                StepResult::NotOurs
            } else if self.lease.is_lost() {
                StepResult::Unlocked
            } else {
                self.execute_step(migration.step, &mut progress).await
            };
            tracing::debug!(step = ?migration.step, ?seen, session_id = %self.sandbox.session_id(), "moved one step");
            match migration.after(seen, clock.now()) {
                Ok(after) => migration = after,
                Err(end) => break end,
            }
        };
        self.end(end, migration.is_cut, progress).await;
        drop(turn);
        self.entry.hold_calls(false);
        if let Err(error) = self.lease.release().await {
            tracing::debug!(%error, "the lock of a move was not released; it expires");
        }
    }

    async fn execute_step(&self, step: MigrationStep, progress: &mut MoveProgress) -> StepResult {
        match step {
            MigrationStep::Settle => {
                self.stages.begin(BootStage::Settle).await;
                self.wait_turn_end(MIGRATION_SETTLE_MAX).await
            }
            MigrationStep::Cancel => match self.handle.cut_turn().await {
                Err(HubError::Gone) => StepResult::NotOurs,
                Ok(()) | Err(_) => self.wait_turn_end(MIGRATION_CANCEL_MAX).await,
            },
            MigrationStep::Quiesce => {
                self.stages.begin(BootStage::Quiesce).await;
                self.wait_writers_closed().await
            }
            MigrationStep::Snapshot { after, .. } => {
                if after.is_zero() {
                    self.stages.begin(BootStage::Snapshot).await;
                }
                sleep(after).await;
                self.save_old(progress).await
            }
            MigrationStep::Boot(from) => self.boot_successor(from, progress).await,
            MigrationStep::CutOver => self.cut_over(progress).await,
        }
    }

    /// Waits until the agent has ended its turn.
    async fn wait_turn_end(&self, at_most: Duration) -> StepResult {
        let settled = async {
            while !self.handle.is_settled().await? {
                sleep(MIGRATION_SETTLE_EVERY).await;
            }
            Ok::<_, HubError>(())
        };
        match timeout(at_most, settled).await {
            Ok(Ok(())) => StepResult::Done,
            Ok(Err(_)) => StepResult::NotOurs,
            Err(_) => self.failed_unless_dead().await,
        }
    }

    /// Waits until no program has a file of the workspace open for writing. A sandbox that cannot list them counts as quiet.
    async fn wait_writers_closed(&self) -> StepResult {
        let writers = format!(
            "ls -l /proc/[0-9]*/fd 2>/dev/null | grep -c '^l.wx.* -> {}/'",
            sandbox::WORKSPACE
        );
        let quiet = async {
            loop {
                let mut look = ExecRequest::shell(writers.clone());
                look.timeout = MIGRATION_QUIESCE_LOOK_MAX;
                let seen = self.machine.provider.exec(&self.old, look).await;
                let count = seen.ok().map(|seen| seen.stdout.text().trim().to_owned());
                match count.and_then(|count| count.parse::<u32>().ok()) {
                    Some(1..) => sleep(MIGRATION_QUIESCE_EVERY).await,
                    Some(0) | None => return,
                }
            }
        };
        match timeout(MIGRATION_QUIESCE_MAX, quiet).await {
            Ok(()) => StepResult::Done,
            Err(_) => StepResult::Failed,
        }
    }

    async fn save_old(&self, progress: &mut MoveProgress) -> StepResult {
        let error = match self
            .sandbox
            .save_before_move(&self.machine, &self.old)
            .await
        {
            Ok(()) => return StepResult::Done,
            Err(error) => error,
        };
        tracing::warn!(%error, session_id = %self.sandbox.session_id(), "cannot save a session that moves yet");
        progress.error = Some(error.to_string());
        match error {
            SaveError::Sandbox(sandbox::Error::Gone) => StepResult::OldDied,
            SaveError::Overtaken => StepResult::NotOurs,
            SaveError::Boot(error) if !error.retryable => StepResult::NotOurs,
            _ => StepResult::Failed,
        }
    }

    async fn boot_successor(
        &self,
        from: SuccessorOrigin,
        progress: &mut MoveProgress,
    ) -> StepResult {
        let boot = SuccessorBoot {
            sandbox: &self.sandbox,
            machine: &self.machine,
            stages: &self.stages,
        };
        match boot.run().await {
            Ok(successor) => {
                if from == SuccessorOrigin::LastGood {
                    progress.lost.push(successor.origin.clone());
                }
                if successor.is_rebuilt {
                    progress.lost.push(FORGOTTEN.to_owned());
                }
                progress.successor = Some(successor);
                StepResult::Done
            }
            Err(error) => {
                tracing::warn!(%error, session_id = %self.sandbox.session_id(), "cannot boot the sandbox that a session moves to yet");
                progress.error = Some(error.message);
                self.failed_unless_dead().await
            }
        }
    }

    /// INVARIANT: a cut-over whose commit was not confirmed is looked up before a sandbox is destroyed.
    async fn cut_over(&self, progress: &mut MoveProgress) -> StepResult {
        let Some(successor) = &progress.successor else {
            return StepResult::Failed;
        };
        let record = self.sandbox.record();
        let cut = record.cut_over(&self.old, &successor.session, &successor.row);
        let cut = match cut.await {
            Err(_) => self.was_cut_over(successor).await,
            cut => cut,
        };
        match cut {
            Ok(true) => {
                self.sandbox.set_handle(Some(successor.handle.clone()));
                self.sandbox.move_schedule().reset();
                progress.is_cut_over = true;
                StepResult::Done
            }
            Ok(false) => StepResult::NotOurs,
            Err(error) => {
                // It is not known which of the two is on record: neither is destroyed, and the next owner finds out.
                progress.successor = None;
                progress.error = Some(error.message);
                StepResult::NotOurs
            }
        }
    }

    /// Whether a cut-over that was not confirmed was made. Retries until the database answers, within a bound.
    async fn was_cut_over(&self, to: &Successor) -> Result<bool, BootError> {
        let record = self.sandbox.record();
        let backoff = ConstantBuilder::new()
            .with_delay(HUB_WRITE_RETRY_DELAY)
            .with_max_times(HUB_WRITE_TRIES - 1);
        let load = || record.load();
        let loaded = load.retry(backoff).when(|error| error.retryable).await;
        loaded.map(|(_, row)| row.sandbox == to.row.sandbox)
    }

    async fn failed_unless_dead(&self) -> StepResult {
        match self.machine.provider.liveness(&self.old).await {
            Liveness::Dead => StepResult::OldDied,
            Liveness::Alive | Liveness::Unknown => StepResult::Failed,
        }
    }

    async fn end(&self, end: MigrationEnd, is_cut: bool, mut progress: MoveProgress) {
        let label = match end {
            MigrationEnd::Completed => "completed",
            MigrationEnd::Resumed { .. } => "failed",
            MigrationEnd::Stranded => "stranded",
            MigrationEnd::LostSession => "let_go",
        };
        let reason = match self.reason {
            MigrationReason::Expiry => "expiry",
            MigrationReason::Asked => "asked",
        };
        metrics::counter!("proliferate_migrations_total", "outcome" => label, "reason" => reason)
            .increment(1);
        let session_id = self.sandbox.session_id();
        if !progress.is_cut_over
            && let Some(successor) = progress.successor.take()
        {
            destroy_sandbox(&self.machine, &successor.handle).await;
            let record = self.sandbox.record();
            record.forget_successor(&successor.session).await;
        }
        if is_cut {
            progress.lost.insert(0, CUT.to_owned());
        }
        let error = progress
            .error
            .unwrap_or_else(|| "it was interrupted".to_owned());
        let (outcome, expires_at) = match (end, progress.successor) {
            (MigrationEnd::Completed, Some(successor)) => {
                tracing::info!(%session_id, sandbox = %successor.handle.id, "moved a session to a new sandbox");
                for note in successor.notes {
                    self.stages.note(note).await;
                }
                let agent = Box::new(successor.agent);
                (MoveOutcome::Completed(agent), successor.handle.expires_at)
            }
            (MigrationEnd::Resumed { retry_at }, _) => {
                let retry_at = self
                    .sandbox
                    .move_schedule()
                    .record_failure(retry_at, self.reason);
                let expires_at = self.old.expires_at;
                tracing::error!(%session_id, error, ?expires_at, ?retry_at, "a session did not move and stays in its old sandbox");
                (MoveOutcome::Failed { error, retry_at }, expires_at)
            }
            (MigrationEnd::Stranded, _) => {
                tracing::error!(%session_id, error, "a session lost its sandbox while it moved");
                self.sandbox.set_handle(None);
                (MoveOutcome::Stranded { error }, None)
            }
            (MigrationEnd::LostSession | MigrationEnd::Completed, _) => {
                tracing::warn!(%session_id, "lost a session while it moved");
                return self.handle.stop().await;
            }
        };
        let is_completed = matches!(outcome, MoveOutcome::Completed(_));
        let report = MoveReport {
            outcome,
            expires_at,
            lost: progress.lost,
            is_cut,
        };
        // A hub that has ended by itself has no clients; the next owner finds what is on record.
        let _ = self.handle.end_move(report).await;
        if is_completed {
            destroy_sandbox(&self.machine, &self.old).await;
        }
    }
}
