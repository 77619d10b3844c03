//! Bringing a session's agent up, or finding it up.
//!
//! INVARIANT: one thing at a time happens to a session's sandbox (a boot, a snapshot, its end), and each to its end,
//! also when nobody waits for it any more: what is made is on record, what was taken out comes back.

use std::sync::{Arc, Mutex};

use app::{App, news};
use async_trait::async_trait;
use coord::{Attempt, HeldLease, LeaseTerms};
use domain::{
    id::{OrganizationId, SessionId},
    lease::LeaseKey,
    limits::{AGENT_PORT, BOOT_LOCK_EVERY, BOOT_LOCK_TRIES},
    news::News,
    session::{Session, SessionState},
};
use sandbox::Handle;
use store::SessionRuntime as Row;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use wire::live::BootStage;

use super::{
    failure::{closed, later, never, other_owner, unavailable},
    moving::Again,
    planning::{booted, context, telling, title},
    shelf::Shelf,
};
use crate::{
    opencode::Inflight,
    runtime::{Machine, Running, Workshop, restore_env_files},
    session::{BootError, Booted, Liveness, Runtime, Stages},
};

/// The agent of one session, in the name of one owner. Clones are the same.
#[derive(Debug, Clone)]
pub(super) struct SessionRuntime(pub(super) Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) app: App,
    pub(super) workshop: Workshop,
    pub(super) shelf: Shelf,
    pub(super) organization_id: OrganizationId,
    pub(super) session_id: SessionId,
    pub(super) epoch: i64,
    /// For what is read of the sandbox: of its agent and of its daemon.
    pub(super) room: Inflight,
    /// The sandbox of the last boot.
    up: Mutex<Option<Handle>>,
    /// Held by whoever does something to the sandbox.
    pub(super) turn: tokio::sync::Mutex<()>,
    /// The session has ended: what is under way with its sandbox is of no use any more.
    pub(super) stopped: CancellationToken,
    /// When it is to be moved again, after a move that came to nothing.
    pub(super) again: Mutex<Again>,
}

/// What there is of the sandbox that is on record.
enum Found {
    Nothing,
    /// With an agent that answers.
    Up(Box<Booted>),
    /// It lives, and its agent does not answer.
    Silent(Handle),
    Dead,
}

#[async_trait]
impl Runtime for SessionRuntime {
    async fn boot(&self, stages: Stages) -> Result<Booted, BootError> {
        let runtime = self.clone();
        let boot = tokio::spawn(async move {
            let _turn = runtime.0.turn.lock().await;
            let lock = runtime.lock_boot().await?;
            let booted = runtime.boot_in_turn(&stages).await;
            if let Err(error) = lock.release().await {
                tracing::debug!(%error, "the lock of a boot was not given back; it ends by itself");
            }
            booted
        });
        boot.await
            .unwrap_or_else(|_| Err(later("the boot ended unexpectedly")))
    }

    async fn given_up(&self, why: &BootError) {
        let (runtime, reason) = (self.clone(), why.message.clone());
        let failed = tokio::spawn(async move { runtime.failed(&reason).await });
        if let Err(error) = failed.await {
            tracing::error!(%error, session_id = %self.0.session_id, "writing down that a session failed broke");
        }
    }

    async fn end_agent(&self, why: &str) {
        let (runtime, why) = (self.clone(), why.to_owned());
        let ended = tokio::spawn(async move { runtime.agent_ended(&why).await });
        if let Err(error) = ended.await {
            tracing::error!(%error, session_id = %self.0.session_id, "ending an agent that sent too much broke");
        }
    }

    async fn liveness(&self) -> Liveness {
        let (Some(machine), Some(handle)) = (self.0.workshop.opened(), self.handle()) else {
            return Liveness::Unknown;
        };
        match machine.provider.liveness(&handle).await {
            sandbox::Liveness::Alive => Liveness::Alive,
            sandbox::Liveness::Dead => Liveness::Dead,
            sandbox::Liveness::Unknown => Liveness::Unknown,
        }
    }

    async fn withheld(&self) -> Option<String> {
        self.is_over_budget().await
    }

    async fn rest(&self) {
        self.rest_for_budget().await;
    }
}

impl SessionRuntime {
    pub(super) fn new(
        app: &App,
        workshop: &Workshop,
        shelf: &Shelf,
        room: Inflight,
        session: &Session,
    ) -> Self {
        Self(Arc::new(Inner {
            app: app.clone(),
            workshop: workshop.clone(),
            shelf: shelf.clone(),
            organization_id: session.organization_id.clone(),
            session_id: session.id,
            epoch: session.owner_epoch,
            room,
            up: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
            stopped: CancellationToken::new(),
            again: Mutex::default(),
        }))
    }

    /// One instance at a time makes the session's sandbox: who had it before may not have ended yet.
    async fn lock_boot(&self) -> Result<HeldLease, BootError> {
        let app = &self.0.app;
        for _ in 0..BOOT_LOCK_TRIES {
            let (coordination, clock) = (Arc::clone(&app.coordination), Arc::clone(&app.clock));
            let (key, holder) = (LeaseKey::Runtime(self.0.session_id), app.instance.id);
            let asked = HeldLease::acquire(coordination, clock, key, holder, LeaseTerms::OWNER);
            match asked.await {
                Ok(Attempt::Held(lock)) => return Ok(lock),
                Ok(Attempt::HeldBy(_)) => sleep(BOOT_LOCK_EVERY).await,
                Err(error) => {
                    tracing::warn!(%error, session_id = %self.0.session_id, "a boot cannot be locked");
                    return Err(later("the gateways' coordination service does not answer"));
                }
            }
        }
        Err(later(
            "another instance is still starting the session's sandbox",
        ))
    }

    async fn boot_in_turn(&self, stages: &Stages) -> Result<Booted, BootError> {
        let (session, row) = self.load().await?;
        // The session stays as it is: what is missing is missing here, and may come.
        let machine = self.0.workshop.machine().await.map_err(closed)?;
        self.remove_left(machine, &session).await;
        let note = match self.find(machine, &session, &row).await? {
            Found::Up(booted) => return Ok(*booted),
            Found::Nothing => None,
            Found::Dead => Some("The sandbox of this session has ended."),
            Found::Silent(handle) => Some(self.replace(machine, &handle, &session).await),
        };
        if let Some(why) = self.is_over_budget().await {
            return Err(self.withhold(why).await);
        }
        // With what a sandbox that was replaced has just left.
        let (session, row) = self.load().await?;
        let session = self.begin(session).await?;
        self.bring_up(machine, &session, row, stages, note).await
    }

    /// The session and its sandbox, as the owner has them.
    pub(super) async fn load(&self) -> Result<(Session, Row), BootError> {
        let mut conn = self.0.app.db.read().await.map_err(unavailable)?;
        let (organization_id, id) = (&self.0.organization_id, self.0.session_id);
        let session = conn.session_fetch(organization_id, id).await;
        let session = session.map_err(unavailable)?;
        let session = session.ok_or_else(|| never("the session is not there any more"))?;
        if session.owner_epoch != self.0.epoch {
            return Err(never("the session has another owner"));
        }
        if matches!(session.state, SessionState::Stopped { .. }) {
            return Err(never("the session has ended"));
        }
        let row = conn.session_runtime_fetch(organization_id, id).await;
        Ok((session, row.map_err(unavailable)?.unwrap_or_default()))
    }

    /// An agent that another process left running is gone on with, never started a second time.
    async fn find(
        &self,
        machine: &Machine,
        session: &Session,
        row: &Row,
    ) -> Result<Found, BootError> {
        let handle = row.sandbox.as_deref().map(serde_json::from_str::<Handle>);
        let Some(Ok(handle)) = handle else {
            return Ok(Found::Nothing);
        };
        if machine.provider.liveness(&handle).await == sandbox::Liveness::Dead
            || machine.provider.reattach(&handle).await.is_err()
        {
            return Ok(Found::Dead);
        }
        restore_env_files(machine, &handle).await;
        let Some(booted) = self.speak(machine, &handle, session, row).await else {
            return Ok(Found::Silent(handle));
        };
        if !matches!(session.state, SessionState::Running { .. }) {
            let session = match session.state {
                SessionState::Starting { .. } | SessionState::Paused { .. } => session.clone(),
                _ => self.set_state(session, SessionState::start).await?,
            };
            self.set_state(&session, SessionState::run).await?;
        }
        self.is_up(Some(handle));
        Ok(Found::Up(Box::new(booted)))
    }

    async fn speak(
        &self,
        machine: &Machine,
        handle: &Handle,
        session: &Session,
        row: &Row,
    ) -> Option<Booted> {
        let endpoint = machine.provider.endpoint(handle, AGENT_PORT).await.ok()?;
        let base = format!("http://{}", endpoint.address).parse().ok()?;
        let client = machine.client(base, Some(self.password(session))).ok()?;
        let client = client.sharing(self.0.room.clone());
        client.health().await.ok()?;
        let known = row.agent_session_id.as_deref();
        let info = client.ensure_session(known, &title(session)).await.ok()?;
        Some(booted(client, info.id, &context(machine, session)))
    }

    pub(super) fn handle(&self) -> Option<Handle> {
        self.0.up.lock().ok().and_then(|up| up.clone())
    }

    pub(super) fn is_up(&self, handle: Option<Handle>) {
        if let Ok(mut up) = self.0.up.lock() {
            *up = handle;
        }
    }

    /// The session as it starts, under a new incarnation.
    async fn begin(&self, session: Session) -> Result<Session, BootError> {
        let now = self.0.app.now();
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
        let mut tx = self.0.app.db.write().await.map_err(unavailable)?;
        let session = tx.session_incarnate(&session, now).await;
        let session = session.map_err(unavailable)?.ok_or_else(other_owner)?;
        tx.commit().await.map_err(unavailable)?;
        Ok(session)
    }

    async fn bring_up(
        &self,
        machine: &Machine,
        session: &Session,
        row: Row,
        stages: &Stages,
        note: Option<&str>,
    ) -> Result<Booted, BootError> {
        // What the session begins with is not collected before its sandbox stands on it.
        let _in_use = self.0.shelf.in_use().await;
        let beginning = self.beginning(machine, session).await?;
        if let Some(note) = note {
            stages
                .note(format!("{note} {}", beginning.goes_on_from()))
                .await;
        }
        let plan = self.plan(machine, session, beginning).await?;
        let context = plan.agent.clone();
        stages.begin(BootStage::Sandbox).await;
        let running = telling(stages, |told| machine.boot(plan, told)).await?;
        let known = row.agent_session_id.as_deref();
        let agent_session = match self.record(machine, session, known, &running).await {
            Ok(agent_session) => agent_session,
            Err(error) => {
                // Nobody would ever find it.
                if let Err(error) = machine.provider.destroy(&running.handle).await {
                    tracing::error!(%error, "a sandbox that is on no record was not removed");
                }
                return Err(error);
            }
        };
        self.is_up(Some(running.handle));
        for note in running.notes {
            stages.note(note).await;
        }
        let client = running.client.sharing(self.0.room.clone());
        Ok(booted(client, agent_session, &context))
    }

    /// Writes down where the agent is, and that the session runs. Gives the agent's own name of it.
    async fn record(
        &self,
        machine: &Machine,
        session: &Session,
        known: Option<&str>,
        running: &Running,
    ) -> Result<String, BootError> {
        let info = running.client.ensure_session(known, &title(session)).await;
        let info = info.map_err(|error| later(&error.to_string()))?;
        let row = Row {
            sandbox: serde_json::to_string(&running.handle).ok(),
            provider: Some(machine.provider.name().to_owned()),
            agent_session_id: Some(info.id.clone()),
            expires_at: running.handle.expires_at,
        };
        let mut tx = self.0.app.db.write().await.map_err(unavailable)?;
        let set = tx
            .session_runtime_set(session, &row, self.0.app.now())
            .await;
        if !set.map_err(unavailable)? {
            return Err(other_owner());
        }
        self.watch_expiry(&mut tx, row.expires_at).await?;
        tx.commit().await.map_err(unavailable)?;
        self.set_state(session, SessionState::run).await?;
        Ok(info.id)
    }

    pub(super) async fn set_state(
        &self,
        session: &Session,
        step: impl FnOnce(
            SessionState,
            domain::clock::Timestamp,
        ) -> Result<SessionState, domain::session::InvalidTransition>,
    ) -> Result<Session, BootError> {
        let now = self.0.app.now();
        let next = step(session.state.clone(), now).map_err(|error| never(&error.to_string()))?;
        let mut tx = self.0.app.db.write().await.map_err(unavailable)?;
        let moved = tx.session_set_state(session, &next, now).await;
        let moved = moved.map_err(unavailable)?.ok_or_else(other_owner)?;
        tx.commit().await.map_err(unavailable)?;
        news::tell(&self.0.app, &moved.organization_id, News::Session(moved.id));
        Ok(moved)
    }
}
