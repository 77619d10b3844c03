//! Moves one session: does what `domain::migration` says, step by step, and tells it what was seen.
//!
//! INVARIANT: in a task of its own that comes to its end whoever waits for it. What it made and did not cut over to is
//! removed; what the session was in is removed only after the cut.

use std::{sync::Arc, time::Duration};

use coord::HeldLease;
use domain::{
    limits::{
        HUB_WRITE_TRIES, MIGRATION_CANCEL_MAX, MIGRATION_QUIESCE_EVERY, MIGRATION_QUIESCE_LOOK_MAX,
        MIGRATION_QUIESCE_MAX, MIGRATION_SETTLE_EVERY, MIGRATION_SETTLE_MAX,
    },
    migration::{End, From, Migration, Seen, Step},
};
use sandbox::{ExecRequest, Handle as Sandbox, Liveness};
use tokio::time::{sleep, timeout};
use wire::live::{BootStage, MigrationReason};

use super::{
    moving::{Successor, destroy},
    place::Place,
    runtime::SessionRuntime,
    saving::SaveError,
};
use crate::{
    runtime::Machine,
    session::{Handle, HubError, MoveEnd, Moved, Stages},
};

const CUT: &str = "The agent was stopped in the middle of its turn.";
const FORGOTTEN: &str = "The agent does not remember the conversation so far.";

pub(super) struct Mover {
    pub(super) handle: Handle,
    pub(super) runtime: SessionRuntime,
    pub(super) machine: Machine,
    pub(super) place: Arc<Place>,
    pub(super) lease: HeldLease,
    pub(super) stages: Stages,
    pub(super) reason: MigrationReason,
    /// The sandbox that the session is in.
    pub(super) old: Sandbox,
    pub(super) has_last_good: bool,
}

/// What there is of it so far.
#[derive(Default)]
struct Made {
    successor: Option<Successor>,
    is_cut_over: bool,
    lost: Vec<String>,
    error: Option<String>,
}

impl Mover {
    pub(super) async fn run(self) {
        let clock = Arc::clone(&self.runtime.0.app.clock);
        let mut migration = Migration::begin(self.old.expires_at, self.has_last_good);
        let mut made = Made::default();
        // From the first snapshot on nothing else happens to the sandbox.
        let mut turn = None;
        let end = loop {
            if matches!(migration.step, Step::Snapshot { .. } | Step::Boot(_)) && turn.is_none() {
                self.place.hold_calls(true);
                turn = Some(self.runtime.0.turn.lock().await);
            }
            let seen = if self.handle.is_gone() {
                Seen::NotOurs
            } else if self.lease.is_lost() {
                Seen::Unlocked
            } else {
                self.step(migration.step, &mut made).await
            };
            tracing::debug!(step = ?migration.step, ?seen, session_id = %self.runtime.0.session_id, "moving");
            match migration.after(seen, clock.now()) {
                Ok(after) => migration = after,
                Err(end) => break end,
            }
        };
        self.end(end, migration.is_cut, made).await;
        drop(turn);
        self.place.hold_calls(false);
        if let Err(error) = self.lease.release().await {
            tracing::debug!(%error, "the lock of a move was not given back; it ends by itself");
        }
    }

    async fn step(&self, step: Step, made: &mut Made) -> Seen {
        match step {
            Step::Settle => {
                self.stages.begin(BootStage::Settle).await;
                self.settle(MIGRATION_SETTLE_MAX).await
            }
            Step::Cancel => match self.handle.cut_turn().await {
                Err(HubError::Gone) => Seen::NotOurs,
                Ok(()) | Err(_) => self.settle(MIGRATION_CANCEL_MAX).await,
            },
            Step::Quiesce => {
                self.stages.begin(BootStage::Quiesce).await;
                self.quiesce().await
            }
            Step::Snapshot { after, .. } => {
                if after.is_zero() {
                    self.stages.begin(BootStage::Snapshot).await;
                }
                sleep(after).await;
                self.save(made).await
            }
            Step::Boot(from) => self.boot(from, made).await,
            Step::CutOver => self.cut_over(made).await,
        }
    }

    /// Until the agent has ended its turn.
    async fn settle(&self, at_most: Duration) -> Seen {
        let settled = async {
            while !self.handle.is_settled().await? {
                sleep(MIGRATION_SETTLE_EVERY).await;
            }
            Ok::<_, HubError>(())
        };
        match timeout(at_most, settled).await {
            Ok(Ok(())) => Seen::Done,
            Ok(Err(_)) => Seen::NotOurs,
            Err(_) => self.unless_dead().await,
        }
    }

    /// Until no program has a file of the workspace open to write. A sandbox that cannot say so is taken to be quiet.
    async fn quiesce(&self) -> Seen {
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
            Ok(()) => Seen::Done,
            Err(_) => Seen::Failed,
        }
    }

    async fn save(&self, made: &mut Made) -> Seen {
        let error = match self.runtime.save_old(&self.machine, &self.old).await {
            Ok(()) => return Seen::Done,
            Err(error) => error,
        };
        tracing::warn!(%error, session_id = %self.runtime.0.session_id, "a session that moves is not saved yet");
        made.error = Some(error.to_string());
        match error {
            SaveError::Sandbox(sandbox::Error::Gone) => Seen::OldDied,
            SaveError::Overtaken => Seen::NotOurs,
            SaveError::Boot(error) if !error.retryable => Seen::NotOurs,
            _ => Seen::Failed,
        }
    }

    async fn boot(&self, from: From, made: &mut Made) -> Seen {
        match self
            .runtime
            .bring_successor(&self.machine, &self.stages)
            .await
        {
            Ok((successor, goes_on_from)) => {
                if from == From::LastGood {
                    made.lost.push(goes_on_from);
                }
                if successor.is_rebuilt {
                    made.lost.push(FORGOTTEN.to_owned());
                }
                made.successor = Some(successor);
                Seen::Done
            }
            Err(error) => {
                tracing::warn!(%error, session_id = %self.runtime.0.session_id, "a session cannot move yet");
                made.error = Some(error.message);
                self.unless_dead().await
            }
        }
    }

    /// INVARIANT: a cut of which no answer came is looked up before anything is removed.
    async fn cut_over(&self, made: &mut Made) -> Seen {
        let Some(successor) = &made.successor else {
            return Seen::Failed;
        };
        let cut = match self.runtime.cut_over(&self.old, successor).await {
            Err(_) => {
                let asked = self.runtime.was_cut_over(successor, HUB_WRITE_TRIES);
                asked.await
            }
            cut => cut,
        };
        match cut {
            Ok(true) => {
                made.is_cut_over = true;
                Seen::Done
            }
            Ok(false) => Seen::NotOurs,
            Err(error) => {
                // It is not known which of the two is on record: neither is removed, and whoever is next finds out.
                made.successor = None;
                made.error = Some(error.message);
                Seen::NotOurs
            }
        }
    }

    async fn unless_dead(&self) -> Seen {
        match self.machine.provider.liveness(&self.old).await {
            Liveness::Dead => Seen::OldDied,
            Liveness::Alive | Liveness::Unknown => Seen::Failed,
        }
    }

    async fn end(&self, end: End, is_cut: bool, mut made: Made) {
        let outcome = match end {
            End::Completed => "completed",
            End::Resumed { .. } => "failed",
            End::Stranded => "stranded",
            End::LetGo => "let_go",
        };
        let reason = match self.reason {
            MigrationReason::Expiry => "expiry",
            MigrationReason::Asked => "asked",
        };
        metrics::counter!("proliferate_migrations_total", "outcome" => outcome, "reason" => reason)
            .increment(1);
        let session_id = self.runtime.0.session_id;
        if !made.is_cut_over
            && let Some(successor) = made.successor.take()
        {
            self.runtime.abandon(&self.machine, &successor).await;
        }
        if is_cut {
            made.lost.insert(0, CUT.to_owned());
        }
        let error = made
            .error
            .unwrap_or_else(|| "it was interrupted".to_owned());
        let (end, expires_at) = match (end, made.successor) {
            (End::Completed, Some(successor)) => {
                tracing::info!(%session_id, sandbox = %successor.handle.id, "a session is in a fresh sandbox");
                for note in successor.notes {
                    self.stages.note(note).await;
                }
                let agent = Box::new(successor.booted);
                (MoveEnd::Completed(agent), successor.handle.expires_at)
            }
            (End::Resumed { retry_at }, _) => {
                let retry_at = self.runtime.try_again(retry_at, self.reason);
                let expires_at = self.old.expires_at;
                tracing::error!(%session_id, error, ?expires_at, ?retry_at, "a session did not move and goes on in its old sandbox");
                (MoveEnd::Failed { error, retry_at }, expires_at)
            }
            (End::Stranded, _) => {
                tracing::error!(%session_id, error, "a session lost its sandbox while it moved");
                self.runtime.is_up(None);
                (MoveEnd::Stranded { error }, None)
            }
            (End::LetGo | End::Completed, _) => {
                tracing::warn!(%session_id, "a session that moved is not ours any more");
                return self.handle.stop().await;
            }
        };
        let is_completed = matches!(end, MoveEnd::Completed(_));
        let moved = Moved {
            end,
            expires_at,
            lost: made.lost,
            is_cut,
        };
        // One that has ended by itself has nobody to tell; the next owner finds what is on record.
        let _ = self.handle.end_move(moved).await;
        if is_completed {
            destroy(&self.machine, &self.old).await;
        }
    }
}
