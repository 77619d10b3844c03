//! Opens sessions: acquires the lease, claims the epoch, reads the end of the log and starts the loop. Then keeps each
//! until it ends.

use std::sync::Arc;

use app::{App, Error, access::Steering, news};
use coord::HeldLease;
use domain::{
    limits::HUB_OPEN_TRIES,
    news::News,
    session::{Session, SessionState, SessionType},
};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::{
    action_notices::ActionNotices,
    departure::{Departure, settle_sandbox},
    ended_runtime::EndedRuntime,
    entry::SessionEntry,
    first_prompt::{has_first_prompt, send_first_prompt},
    lease::{LeaseKeeper, acquire_owner_lease},
    observed_journal::ObservedJournal,
    session_key::SessionKey,
    state::Registry,
};
use crate::{
    session::{BootError, Handle, HubError, JournalError, Runtime, Service, SessionPorts},
    session_sandbox::{SessionSandbox, retry_later},
};

impl Registry {
    /// Returns the hub of a session for a caller that may steer it; opens the session if it is not live.
    pub async fn open(&self, steering: &Steering) -> Result<Handle, Error> {
        self.open_by_key(&steering.into()).await
    }

    pub(crate) async fn open_by_key(&self, key: &SessionKey) -> Result<Handle, Error> {
        self.open_with_permit(key, None).await
    }

    /// Does the same. Waits for a permit of `permits` to open the session, and holds the permit for nothing else: not while
    /// room is made, which can take as long as saving the sandbox of another session.
    pub(crate) async fn open_with_permit(
        &self,
        key: &SessionKey,
        permits: Option<&Semaphore>,
    ) -> Result<Handle, Error> {
        for _ in 0..HUB_OPEN_TRIES {
            self.admission().check()?;
            let entry = self.reserve_entry(key).await?;
            if !entry.wait_settled().await {
                return Err(Error::SessionInTransition);
            }
            if entry.is_leaving() {
                continue;
            }
            let opened = entry.handle.get_or_try_init(|| async {
                // The semaphore is never closed.
                let _permit = match permits {
                    Some(permits) => permits.acquire().await.ok(),
                    None => None,
                };
                self.start_session(key, &entry).await
            });
            match opened.await {
                // It is ending: the next try waits for that.
                Ok(handle) if handle.is_gone() => {
                    _ = entry.begin_departure(Departure::LeaveRunning);
                }
                Ok(_) if entry.is_leaving() => {}
                Ok(handle) => {
                    // A drain that began meanwhile did not see it.
                    if self.admission().check().is_err() {
                        handle.stop().await;
                    }
                    return Ok(handle.clone());
                }
                Err(error) => {
                    self.remove_entry(key.id, &entry);
                    return Err(error);
                }
            }
        }
        Err(Error::SessionInTransition)
    }

    /// Returns the hub of a session whose agent answers, and its sandbox; boots it if it is not running.
    pub(crate) async fn open_ready(
        &self,
        key: &SessionKey,
    ) -> Result<(Handle, SessionSandbox), BootError> {
        let opened = self.open_by_key(key).await;
        let handle = opened.map_err(|error| retry_later(&error.to_string()))?;
        handle.ensure_ready().await.map_err(|error| match error {
            HubError::Boot(error) => error,
            error => retry_later(&error.to_string()),
        })?;
        let sandbox = self.open_sandboxes().get(key.id);
        let sandbox = sandbox.ok_or_else(|| retry_later("the session is no longer served here"))?;
        Ok((handle, sandbox))
    }

    async fn start_session(
        &self,
        key: &SessionKey,
        entry: &Arc<SessionEntry>,
    ) -> Result<Handle, Error> {
        if entry.is_leaving() {
            return Err(Error::SessionInTransition);
        }
        let lease = acquire_owner_lease(self.app(), key.id).await?;
        let session = claim_epoch(self.app(), key).await?;
        let sandbox = self.sandboxes().sandbox_of(&session);
        let journal = ObservedJournal::of_session(self.app(), &session);
        let answers = journal.answers();
        let (handle, service) = self.start_service(&session, &sandbox, journal).await?;
        // No other task opens this entry.
        let is_automation = session.session_type == SessionType::Automation;
        _ = entry.is_automation.set(is_automation);
        let notices = ActionNotices {
            app: self.app().clone(),
            organization_id: key.organization_id.clone(),
            id: key.id,
            handle: handle.clone(),
            known_since: service.known_since(),
        };
        tokio::spawn(notices.run());
        self.open_sandboxes().insert(&sandbox);
        let keeper = LeaseKeeper {
            app: self.app().clone(),
            entry: Arc::clone(entry),
            key: key.clone(),
            epoch: session.owner_epoch,
            handle: handle.clone(),
        };
        let own = self.clone();
        tokio::spawn(own.run_until_gone(keeper, lease, service, sandbox.clone()));
        if matches!(session.state, SessionState::Running { .. }) {
            tokio::spawn(reconnect_agent(sandbox, handle.clone()));
        }
        if has_first_prompt(&session)
            && self.has_agents().await
            && let Err(error) = send_first_prompt(self.app(), &session, &handle, answers).await
        {
            entry.begin_departure(Departure::LeaveRunning);
            handle.stop().await;
            entry.wait_gone().await;
            return Err(error);
        }
        Ok(handle)
    }

    /// Whether agents can be booted in this process.
    async fn has_agents(&self) -> bool {
        self.runtimes().is_some() || self.sandboxes().machine().await.is_ok()
    }

    async fn start_service(
        &self,
        session: &Session,
        sandbox: &SessionSandbox,
        journal: ObservedJournal,
    ) -> Result<(Handle, Service), Error> {
        let app = self.app();
        let runtime: Arc<dyn Runtime> = match (&session.state, self.runtimes()) {
            (SessionState::Stopped { reason, .. }, _) => Arc::new(EndedRuntime::new(reason)),
            (_, Some(runtimes)) => runtimes.of(session.id),
            (_, None) => Arc::new(sandbox.clone()),
        };
        let ports = SessionPorts {
            runtime,
            journal: Arc::new(journal),
            clock: Arc::clone(&app.clock),
            entropy: Arc::clone(&app.entropy),
        };
        Service::start(ports).await.map_err(|error| {
            tracing::warn!(%error, session_id = %session.id, "cannot open a session");
            match error {
                JournalError::Unavailable => {
                    store::Error::unavailable("the session's log cannot be read").into()
                }
                JournalError::NotOwner | JournalError::OutOfPlace => Error::SessionInTransition,
            }
        })
    }

    /// Runs a session until it leaves. The lease is held until nothing is done to the sandbox any more; the entry is gone
    /// when the lease is released, or when another instance has the session.
    async fn run_until_gone(
        self,
        keeper: LeaseKeeper,
        lease: HeldLease,
        service: Service,
        sandbox: SessionSandbox,
    ) {
        let (key, entry) = (keeper.key.clone(), Arc::clone(&keeper.entry));
        let done = CancellationToken::new();
        let life = async {
            let exit = service.run().await;
            tracing::debug!(?exit, session_id = %key.id, "a session is no longer live here");
            let departure = entry.take_departure();
            settle_sandbox(departure, &sandbox).await;
            done.cancel();
            departure
        };
        let ((), departure) = tokio::join!(keeper.keep_lease(lease, &done), life);
        self.open_sandboxes().remove(&sandbox);
        if let Departure::HandOver(target) = departure {
            let (organization_id, id) = (&key.organization_id, key.id);
            self.peers().hand_over(target, organization_id, id).await;
        }
        self.remove_entry(key.id, &entry);
    }
}

/// Claims a new epoch of the session: the store rejects the writes of earlier owners from here on.
async fn claim_epoch(app: &App, key: &SessionKey) -> Result<Session, Error> {
    let (organization_id, id) = (&key.organization_id, key.id);
    let mut tx = app.db.write().await?;
    let session = store::session_claim(&mut tx, organization_id, id, app.now()).await?;
    let session = session.ok_or(Error::NotFound("session"))?;
    tx.commit().await?;
    // Lists show the owner.
    news::publish_soon(app, organization_id, News::Session(id));
    Ok(session)
}

/// Connects to an agent that another owner left running: it may be in the middle of a turn, and a watcher alone does not
/// ask for it. An agent whose sandbox is dead is not booted for that.
async fn reconnect_agent(sandbox: SessionSandbox, handle: Handle) {
    if sandbox.is_recorded_sandbox_alive().await
        && let Err(error) = handle.wake().await
    {
        tracing::info!(%error, "cannot connect to an agent that another owner left running");
    }
}
