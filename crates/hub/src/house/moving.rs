//! What a move does to a session's sandboxes: the old one saved, a successor brought up beside it, the session cut over
//! from one to the other. In turn.
//!
//! INVARIANT: a successor is on record from before anything runs in it until it is the session's sandbox or is removed,
//! so that whoever owns the session next finds it. The one that was left is put down to be removed with the cut itself.

use agent::Context;
use app::jobs;
use domain::{
    clock::Timestamp,
    job::Task,
    limits::{HUB_WRITE_RETRY_DELAY, MIGRATION_TRIES_MAX, SANDBOX_REMOVE_AFTER},
    migration,
    session::{Session, SessionState},
};
use sandbox::Handle;
use store::SessionRuntime as Row;
use tokio::time::sleep;
use wire::live::{BootStage, MigrationReason, SnapshotTarget};

use super::{
    beginning::Beginning,
    failure::{booting, later, never, other_owner, unavailable},
    planning::{booted, telling, title},
    runtime::SessionRuntime,
    saving::SaveError,
};
use crate::{
    runtime::{Machine, Running},
    session::{BootError, Booted, Stages},
};

/// Said to an agent that does not know what was said before.
const REBUILT: &str = "Your sandbox was replaced, and your memory of the conversation so far was lost with it. Files in \
    the workspace are there. Ask if you need to know what was said.";

/// When a session is to be moved again, after a move that came to nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Again {
    /// None did.
    #[default]
    No,
    At {
        at: Timestamp,
        reason: MigrationReason,
        failed: u32,
    },
    /// Too many did, or there is no time.
    Never,
}

/// A sandbox that a session can be cut over to.
#[derive(Debug)]
pub(super) struct Successor {
    /// As it will be.
    session: Session,
    pub(super) handle: Handle,
    row: Row,
    pub(super) booted: Booted,
    /// What people should know of it.
    pub(super) notes: Vec<String>,
    /// Its agent does not know the conversation.
    pub(super) is_rebuilt: bool,
}

impl SessionRuntime {
    /// Why it is to be moved now, if it is.
    pub(super) fn is_due(&self, now: Timestamp) -> Option<MigrationReason> {
        match self.again() {
            Again::Never => None,
            Again::At { at, reason, .. } => (at <= now).then_some(reason),
            Again::No => {
                let expires_at = self.handle()?.expires_at?;
                (migration::due_at(expires_at) <= now).then_some(MigrationReason::Expiry)
            }
        }
    }

    pub(super) fn again(&self) -> Again {
        self.0.again.lock().map_or(Again::Never, |again| *again)
    }

    fn set_again(&self, again: Again) {
        if let Ok(mut found) = self.0.again.lock() {
            *found = again;
        }
    }

    /// Notes that a move came to nothing; says when it is tried again.
    pub(super) fn try_again(
        &self,
        at: Option<Timestamp>,
        reason: MigrationReason,
    ) -> Option<Timestamp> {
        let failed = match self.again() {
            Again::At { failed, .. } => failed + 1,
            Again::No | Again::Never => 1,
        };
        let at = at.filter(|_| failed < MIGRATION_TRIES_MAX);
        let again = at.map(|at| Again::At { at, reason, failed });
        self.set_again(again.unwrap_or(Again::Never));
        at
    }

    /// Has somebody look after the session before its sandbox ends, whatever becomes of this process.
    pub(super) async fn watch_expiry(
        &self,
        tx: &mut store::Tx,
        expires_at: Option<Timestamp>,
    ) -> Result<(), BootError> {
        let Some(expires_at) = expires_at else {
            return Ok(());
        };
        let session_id = self.0.session_id;
        let task = Task::SessionExpiry { session_id };
        let due_at = migration::due_at(expires_at);
        let put_down = jobs::enqueue(tx, &self.0.app, &self.0.organization_id, task, due_at);
        put_down.await.map_err(unavailable)
    }

    /// Saves the sandbox that the session is to leave.
    pub(super) async fn save_old(&self, machine: &Machine, old: &Handle) -> Result<(), SaveError> {
        let (session, _) = self.load().await?;
        self.keep_values(machine, old, &session).await;
        let kept = self.keep(machine, old, &session, SnapshotTarget::Session);
        kept.await.map(drop)
    }

    /// Brings a successor up, from what is on record as the session's snapshot, until it can be listened to.
    pub(super) async fn bring_successor(
        &self,
        machine: &Machine,
        stages: &Stages,
    ) -> Result<(Successor, String), BootError> {
        let (session, row) = self.load().await?;
        self.remove_left(machine, &session).await;
        let _in_use = self.0.shelf.in_use().await;
        let beginning = self.beginning(machine, &session).await?;
        let goes_on_from = beginning.goes_on_from();
        let incarnation = {
            let mut tx = self.0.app.db.write().await.map_err(unavailable)?;
            let begun = tx.session_successor_begin(&session).await;
            let begun = begun.map_err(unavailable)?.ok_or_else(other_owner)?;
            tx.commit().await.map_err(unavailable)?;
            begun
        };
        let after = Session {
            incarnation,
            ..session
        };
        let (running, id, context) = match self
            .boot_successor(machine, &after, &row, beginning, stages)
            .await
        {
            Ok(brought) => brought,
            Err(error) => {
                self.forget_successor(&after).await;
                return Err(error);
            }
        };
        let is_rebuilt = row
            .agent_session_id
            .as_ref()
            .is_some_and(|known| *known != id);
        let client = running.client.sharing(self.0.room.clone());
        let mut booted = booted(client, id.clone(), &context);
        if is_rebuilt {
            let system = booted.system.unwrap_or_default();
            booted.system = Some(format!("{system}\n\n{REBUILT}"));
        }
        let row = Row {
            sandbox: serde_json::to_string(&running.handle).ok(),
            provider: Some(machine.provider.name().to_owned()),
            agent_session_id: Some(id),
            expires_at: running.handle.expires_at,
        };
        let successor = Successor {
            session: after,
            handle: running.handle,
            row,
            booted,
            notes: running.notes,
            is_rebuilt,
        };
        Ok((successor, goes_on_from))
    }

    /// Makes it, puts it down, and boots its agent. What fails leaves no sandbox.
    async fn boot_successor(
        &self,
        machine: &Machine,
        session: &Session,
        row: &Row,
        beginning: Beginning,
        stages: &Stages,
    ) -> Result<(Running, String, Context), BootError> {
        let plan = self.plan(machine, session, beginning).await?;
        let context = plan.agent.clone();
        stages.begin(BootStage::Sandbox).await;
        let since = machine.clock.monotonic();
        let created = machine.create(&plan).await;
        let handle = created.map_err(|error| booting(&error))?;
        if let Err(error) = self.put_down(session, &handle).await {
            destroy(machine, &handle).await;
            return Err(error);
        }
        let boot = |told| machine.boot_in(handle, plan, since, told);
        let running = telling(stages, boot).await?;
        match self.listen_once(session, row, &running).await {
            Ok(id) => Ok((running, id, context)),
            Err(error) => {
                destroy(machine, &running.handle).await;
                Err(error)
            }
        }
    }

    /// The agent's own name of the session, once its stream was heard.
    async fn listen_once(
        &self,
        session: &Session,
        row: &Row,
        running: &Running,
    ) -> Result<String, BootError> {
        let known = row.agent_session_id.as_deref();
        let info = running.client.ensure_session(known, &title(session)).await;
        let info = info.map_err(|error| later(&error.to_string()))?;
        let heard = running.client.can_be_heard().await;
        heard.map_err(|error| later(&format!("the new agent cannot be listened to: {error}")))?;
        Ok(info.id)
    }

    async fn put_down(&self, session: &Session, handle: &Handle) -> Result<(), BootError> {
        let text = serde_json::to_string(handle).map_err(|_| never("no record of it is made"))?;
        let mut tx = self.0.app.db.write().await.map_err(unavailable)?;
        let made = tx.session_successor_made(session, session.incarnation, &text);
        if !made.await.map_err(unavailable)? {
            return Err(other_owner());
        }
        tx.commit().await.map_err(unavailable)
    }

    /// The session is in its new sandbox from here on. `false` if it is not ours any more.
    pub(super) async fn cut_over(&self, old: &Handle, to: &Successor) -> Result<bool, BootError> {
        let left = serde_json::to_string(old).map_err(|_| never("the record of the sandbox"))?;
        let session = &to.session;
        let app = &self.0.app;
        let now = app.now();
        let mut tx = app.db.write().await.map_err(unavailable)?;
        let cut = tx.session_cut_over(session, session.incarnation, &left, &to.row, now);
        if !cut.await.map_err(unavailable)? {
            return Ok(false);
        }
        self.watch_expiry(&mut tx, to.row.expires_at).await?;
        let task = Task::SandboxRemove {
            session_id: session.id,
            sandbox: left,
            incarnation: old.incarnation.0,
        };
        let at = now.plus(SANDBOX_REMOVE_AFTER);
        let put_down = jobs::enqueue(&mut tx, app, &session.organization_id, task, at);
        put_down.await.map_err(unavailable)?;
        tx.commit().await.map_err(unavailable)?;
        self.is_in(to);
        Ok(true)
    }

    fn is_in(&self, to: &Successor) {
        self.is_up(Some(to.handle.clone()));
        self.set_again(Again::No);
    }

    /// Whether a cut of which no answer came was made; asks until the database answers, within a bound.
    pub(super) async fn was_cut_over(&self, to: &Successor, tries: u32) -> Result<bool, BootError> {
        let mut last = later("the database does not answer");
        for _ in 0..tries {
            match self.load().await {
                Ok((_, row)) if row.sandbox == to.row.sandbox => {
                    self.is_in(to);
                    return Ok(true);
                }
                Ok(_) => return Ok(false),
                Err(error) if !error.retryable => return Err(error),
                Err(error) => last = error,
            }
            sleep(HUB_WRITE_RETRY_DELAY).await;
        }
        Err(last)
    }

    /// Removes a successor that the session will not be in.
    pub(super) async fn abandon(&self, machine: &Machine, successor: &Successor) {
        destroy(machine, &successor.handle).await;
        self.forget_successor(&successor.session).await;
    }

    async fn forget_successor(&self, session: &Session) {
        let forgotten = async {
            let mut tx = self.0.app.db.write().await?;
            tx.session_successor_end(session).await?;
            tx.commit().await
        };
        if let Err(error) = forgotten.await {
            tracing::warn!(%error, session_id = %session.id, "a sandbox that was not moved to is still on record");
        }
    }

    /// Removes the successor that somebody left who died in the middle of a move.
    pub(super) async fn remove_left(&self, machine: &Machine, session: &Session) {
        let found = async {
            let mut conn = self.0.app.db.read().await?;
            let (organization_id, id) = (&session.organization_id, session.id);
            conn.session_successor_sandbox(organization_id, id).await
        };
        let left = match found.await {
            Ok(None) => return,
            Ok(Some(left)) => serde_json::from_str::<Handle>(&left),
            Err(error) => {
                return tracing::warn!(%error, "whether a sandbox was left cannot be read");
            }
        };
        match left {
            Ok(left) if left.provider == machine.provider.name() => {
                if let Err(error) = machine.provider.destroy(&left).await {
                    return tracing::error!(%error, sandbox = %left.id, "a sandbox that was left is not removed");
                }
            }
            Ok(_) => return,
            Err(error) => tracing::error!(%error, "the record of a sandbox cannot be read"),
        }
        self.forget_successor(session).await;
    }

    /// Says that a session is paused whose sandbox ended by itself.
    pub(super) async fn has_ended(&self) -> Result<(), BootError> {
        let (session, row) = self.load().await?;
        let reason =
            "its sandbox ended before it could be saved; it goes on from its last snapshot";
        let paused = |state: SessionState, now| state.pause(now, reason);
        let session = self.set_state(&session, paused).await?;
        let row = Row {
            sandbox: None,
            expires_at: None,
            ..row
        };
        let mut tx = self.0.app.db.write().await.map_err(unavailable)?;
        let set = tx.session_runtime_set(&session, &row, self.0.app.now());
        set.await.map_err(unavailable)?;
        tx.commit().await.map_err(unavailable)
    }
}

pub(super) async fn destroy(machine: &Machine, handle: &Handle) {
    if let Err(error) = machine.provider.destroy(handle).await {
        tracing::error!(%error, sandbox = %handle.id, "a sandbox that nobody is in was not removed");
    }
}
