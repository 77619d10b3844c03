//! The rows of one session and its sandbox, read and written in the name of one owner.
//!
//! INVARIANT: every write carries the session's epoch or its current state, so the store rejects the write of an owner
//! that lost the session.

use app::{
    App, Error,
    admission::{AdmissionKind, AdmissionRequest},
    jobs, news, organization_limits,
};
use domain::{
    caller::Incarnation,
    clock::Timestamp,
    configuration::Configuration,
    id::{OrganizationId, SessionId},
    job::Task,
    limits::SANDBOX_REMOVE_AFTER,
    migration,
    news::News,
    session::{InvalidTransition, Session, SessionState},
};
use sandbox::{Handle, Liveness, Provider};
use store::SessionRuntime as RuntimeRow;

use super::failure::{never, not_admitted, not_startable, other_owner, store_unavailable};
use crate::session::BootError;

/// The rows of one session.
#[derive(Debug)]
pub(crate) struct SandboxRecord {
    pub(crate) app: App,
    pub(crate) organization_id: OrganizationId,
    pub(crate) session_id: SessionId,
    epoch: i64,
}

impl SandboxRecord {
    pub(super) fn new(app: &App, session: &Session) -> Self {
        Self {
            app: app.clone(),
            organization_id: session.organization_id.clone(),
            session_id: session.id,
            epoch: session.owner_epoch,
        }
    }

    /// Reads the session and its sandbox. Fails if another owner has the session, or if it is stopped.
    pub(crate) async fn load(&self) -> Result<(Session, RuntimeRow), BootError> {
        let mut conn = self.app.db.read().await.map_err(store_unavailable)?;
        let (organization_id, id) = (&self.organization_id, self.session_id);
        let session = store::session_fetch(&mut conn, organization_id, id).await;
        let session = session.map_err(store_unavailable)?;
        let session = session.ok_or_else(|| never("the session is not there any more"))?;
        if session.owner_epoch != self.epoch {
            return Err(never("the session has another owner"));
        }
        if matches!(session.state, SessionState::Stopped { .. }) {
            return Err(never("the session has ended"));
        }
        let row = store::session_runtime_fetch(&mut conn, organization_id, id).await;
        Ok((session, row.map_err(store_unavailable)?.unwrap_or_default()))
    }

    /// Reads the session, whichever instance owns it.
    pub(super) async fn load_session(&self) -> Result<Option<Session>, Error> {
        let mut conn = self.app.db.read().await?;
        let (organization_id, id) = (&self.organization_id, self.session_id);
        Ok(store::session_fetch(&mut conn, organization_id, id).await?)
    }

    /// Reads the handle of the session's sandbox, whichever instance owns the session.
    pub(crate) async fn load_handle(&self) -> Result<Option<Handle>, Error> {
        let mut conn = self.app.db.read().await?;
        let (organization_id, id) = (&self.organization_id, self.session_id);
        let row = store::session_runtime_fetch(&mut conn, organization_id, id).await?;
        let Some(text) = row.and_then(|row| row.sandbox) else {
            return Ok(None);
        };
        serde_json::from_str(&text).map(Some).map_err(|error| {
            tracing::error!(%error, session_id = %id, "the record of a sandbox cannot be read");
            let unreadable = store::Error::Inconsistent {
                table: "sessions",
                column: "sandbox_id",
                id: id.to_string(),
                reason: error.to_string(),
            };
            unreadable.into()
        })
    }

    /// Reads the configuration as it is now.
    pub(super) async fn load_configuration(
        &self,
        session: &Session,
    ) -> Result<Option<Configuration>, BootError> {
        let Some(id) = session.configuration_id else {
            return Ok(None);
        };
        let mut conn = self.app.db.read().await.map_err(store_unavailable)?;
        let found = store::configuration_fetch(&mut conn, &session.organization_id, id);
        found.await.map_err(store_unavailable)
    }

    /// Moves the session to the state that follows by `step`.
    pub(crate) async fn set_state(
        &self,
        session: &Session,
        step: impl FnOnce(SessionState, Timestamp) -> Result<SessionState, InvalidTransition>,
    ) -> Result<Session, BootError> {
        let now = self.app.now();
        let next = step(session.state.clone(), now).map_err(|error| never(&error.to_string()))?;
        let mut tx = self.app.db.write().await.map_err(store_unavailable)?;
        if matches!(next, SessionState::Starting { .. }) {
            let admitted =
                organization_limits::admit_start(&mut tx, &self.organization_id, session.id);
            admitted.await.map_err(not_startable)?;
        }
        let moved = store::session_set_state(&mut tx, session, &next, now).await;
        let moved = moved.map_err(store_unavailable)?.ok_or_else(other_owner)?;
        tx.commit().await.map_err(store_unavailable)?;
        news::publish_soon(&self.app, &moved.organization_id, News::Session(moved.id));
        Ok(moved)
    }

    /// Asks the operator's admission service whether the session may have a sandbox now.
    pub(super) async fn ask_admission(&self, session: &Session) -> Result<(), BootError> {
        let request = AdmissionRequest {
            kind: AdmissionKind::SessionStart,
            organization_id: session.organization_id.clone(),
            session_id: session.id,
            user_id: session.created_by.clone(),
        };
        let admitted = self.app.admission.admit(&request).await;
        admitted.map_err(not_admitted)
    }

    /// Moves the session to `starting` under a new incarnation.
    pub(super) async fn begin_incarnation(&self, session: Session) -> Result<Session, BootError> {
        let now = self.app.now();
        let session = match &session.state {
            SessionState::Starting { .. } => session,
            // Its sandbox is gone.
            SessionState::Running { .. } => {
                let paused = self
                    .set_state(&session, |state, now| {
                        state.pause(now, "its sandbox is gone")
                    })
                    .await?;
                self.set_state(&paused, SessionState::start).await?
            }
            _ => self.set_state(&session, SessionState::start).await?,
        };
        let mut tx = self.app.db.write().await.map_err(store_unavailable)?;
        let session = store::session_incarnate(&mut tx, &session, now).await;
        let session = session
            .map_err(store_unavailable)?
            .ok_or_else(other_owner)?;
        tx.commit().await.map_err(store_unavailable)?;
        Ok(session)
    }

    /// Records a sandbox that was booted, with the job that looks after the session before the sandbox expires.
    pub(super) async fn save_booted(
        &self,
        session: &Session,
        row: &RuntimeRow,
    ) -> Result<(), BootError> {
        let mut tx = self.app.db.write().await.map_err(store_unavailable)?;
        let set = store::session_runtime_set(&mut tx, session, row, self.app.now()).await;
        if !set.map_err(store_unavailable)? {
            return Err(other_owner());
        }
        self.enqueue_expiry(&mut tx, row.expires_at).await?;
        tx.commit().await.map_err(store_unavailable)
    }

    /// Records that the session has no sandbox any more.
    pub(super) async fn clear_sandbox(
        &self,
        session: &Session,
        row: RuntimeRow,
    ) -> Result<(), store::Error> {
        let row = RuntimeRow {
            sandbox: None,
            expires_at: None,
            ..row
        };
        let mut tx = self.app.db.write().await?;
        store::session_runtime_set(&mut tx, session, &row, self.app.now()).await?;
        tx.commit().await
    }

    /// Pauses a session whose sandbox ended before it was saved.
    pub(crate) async fn pause_after_sandbox_ended(&self) -> Result<(), BootError> {
        let (session, row) = self.load().await?;
        let reason =
            "its sandbox ended before it could be saved; it goes on from its last snapshot";
        let paused = |state: SessionState, now| state.pause(now, reason);
        let session = self.set_state(&session, paused).await?;
        let cleared = self.clear_sandbox(&session, row).await;
        cleared.map_err(store_unavailable)
    }

    /// Marks the session as failed because its sandbox could not be saved. The sandbox stays: it may be the only copy of a
    /// person's work, and the next owner of the session finds it.
    pub(crate) async fn mark_save_failed(&self, reason: &str) {
        let failed = async {
            let (session, _) = self.load().await?;
            self.set_state(&session, |state, now| state.fail(now, reason))
                .await
        };
        if let Err(error) = failed.await {
            tracing::warn!(%error, session_id = %self.session_id, "cannot record that a session failed");
        }
    }

    /// Enqueues the job that looks after the session before its sandbox expires, even if this process ends.
    async fn enqueue_expiry(
        &self,
        tx: &mut store::Tx,
        expires_at: Option<Timestamp>,
    ) -> Result<(), BootError> {
        let Some(expires_at) = expires_at else {
            return Ok(());
        };
        let session_id = self.session_id;
        let task = Task::SessionExpiry { session_id };
        let due_at = migration::due_at(expires_at);
        let enqueued = jobs::enqueue(tx, &self.app, &self.organization_id, task, due_at);
        enqueued.await.map_err(store_unavailable)
    }

    /// Records that a successor of the sandbox is being made, and returns its incarnation.
    pub(crate) async fn begin_successor(
        &self,
        session: &Session,
    ) -> Result<Incarnation, BootError> {
        let mut tx = self.app.db.write().await.map_err(store_unavailable)?;
        let begun = store::session_successor_begin(&mut tx, session).await;
        let incarnation = begun.map_err(store_unavailable)?.ok_or_else(other_owner)?;
        tx.commit().await.map_err(store_unavailable)?;
        Ok(incarnation)
    }

    /// Records the successor's handle before anything runs in it.
    pub(crate) async fn save_successor(
        &self,
        session: &Session,
        handle: &Handle,
    ) -> Result<(), BootError> {
        let text = serde_json::to_string(handle).map_err(|_| never("no record of it is made"))?;
        let mut tx = self.app.db.write().await.map_err(store_unavailable)?;
        let saved =
            store::session_successor_set_sandbox(&mut tx, session, session.incarnation, &text);
        if !saved.await.map_err(store_unavailable)? {
            return Err(other_owner());
        }
        tx.commit().await.map_err(store_unavailable)
    }

    /// Makes the successor the session's sandbox, and enqueues the removal of the old one in the same transaction. Returns
    /// false if the session has another owner.
    pub(crate) async fn cut_over(
        &self,
        old: &Handle,
        session: &Session,
        row: &RuntimeRow,
    ) -> Result<bool, BootError> {
        let left = serde_json::to_string(old).map_err(|_| never("the record of the sandbox"))?;
        let app = &self.app;
        let now = app.now();
        let mut tx = app.db.write().await.map_err(store_unavailable)?;
        let cut = store::session_cut_over(&mut tx, session, session.incarnation, &left, row, now);
        if !cut.await.map_err(store_unavailable)? {
            return Ok(false);
        }
        self.enqueue_expiry(&mut tx, row.expires_at).await?;
        let task = Task::SandboxRemove {
            session_id: session.id,
            sandbox: left,
            incarnation: old.incarnation.0,
        };
        let at = now.plus(SANDBOX_REMOVE_AFTER);
        let enqueued = jobs::enqueue(&mut tx, app, &session.organization_id, task, at);
        enqueued.await.map_err(store_unavailable)?;
        tx.commit().await.map_err(store_unavailable)?;
        Ok(true)
    }

    /// Removes the successor from the record.
    pub(crate) async fn forget_successor(&self, session: &Session) {
        let forgotten = async {
            let mut tx = self.app.db.write().await?;
            store::session_successor_end(&mut tx, session).await?;
            tx.commit().await
        };
        if let Err(error) = forgotten.await {
            tracing::warn!(%error, session_id = %session.id, "a successor that was not used is still on record");
        }
    }

    /// Destroys the successor that an owner left behind that died in the middle of a move.
    pub(crate) async fn remove_left_successor(&self, provider: &dyn Provider, session: &Session) {
        let found = async {
            let mut conn = self.app.db.read().await?;
            let (organization_id, id) = (&session.organization_id, session.id);
            store::session_successor_sandbox(&mut conn, organization_id, id).await
        };
        let left = match found.await {
            Ok(None) => return,
            Ok(Some(left)) => serde_json::from_str::<Handle>(&left),
            Err(error) => {
                return tracing::warn!(%error, "cannot read whether a successor was left");
            }
        };
        match left {
            Ok(left) if left.provider == provider.name() => {
                if let Err(error) = provider.destroy(&left).await {
                    return tracing::error!(%error, sandbox = %left.id, "a successor that was left is not destroyed");
                }
            }
            Ok(_) => return,
            Err(error) => tracing::error!(%error, "the record of a successor cannot be read"),
        }
        self.forget_successor(session).await;
    }

    /// Whether the sandbox on record is certainly alive.
    pub(super) async fn is_alive(&self, provider: &dyn Provider) -> bool {
        let Ok((_, row)) = self.load().await else {
            return false;
        };
        match row.sandbox.as_deref().map(serde_json::from_str::<Handle>) {
            Some(Ok(handle)) => provider.liveness(&handle).await == Liveness::Alive,
            _ => false,
        }
    }
}
