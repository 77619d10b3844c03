//! Saves the sandbox of a live session when a caller asks, and ends it when the session has ended.

use std::time::Duration;

use app::{Error, access::Steering};
use domain::{
    id::SessionId,
    limits::{HUB_CLOSE_TURN_MAX, SESSION_END_LOOK_EVERY},
    session::Session,
};
use sandbox::Handle as Sandbox;
use tokio::time::{sleep, timeout};
use wire::live::{LiveStatus, ServerMessage, SnapshotResult};

use crate::{
    registry::{Departure, Registry, SessionKey},
    session::Handle,
    session_sandbox::{SaveError, SavedSnapshot, retry_later},
};

/// Controls the sandboxes of sessions. Clones share the registry.
#[derive(Debug, Clone)]
pub struct SandboxControl {
    pub(super) registry: Registry,
}

impl SandboxControl {
    pub(crate) fn new(registry: Registry) -> Self {
        Self { registry }
    }

    /// Whether agents may run in sandboxes of this process.
    pub fn has_sandboxes(&self) -> bool {
        !self.registry.sandboxes().lazy_machine().is_closed()
    }

    /// Saves the sandbox of a session, which is booted if it is not running. All clients are told of the outcome.
    pub async fn save_snapshot(&self, steering: &Steering) -> Result<SavedSnapshot, SaveError> {
        self.save_by_key(&steering.into()).await
    }

    /// Does the same for the agent's own tool.
    pub(crate) async fn save_by_key(&self, key: &SessionKey) -> Result<SavedSnapshot, SaveError> {
        let (handle, sandbox) = self.registry.open_ready(key).await?;
        // To its end, even if the caller does not wait: env files that were taken out have to come back.
        let saving = tokio::spawn(async move {
            let saved = sandbox.save().await;
            let target = sandbox.snapshot_target().await;
            let result = SnapshotResult {
                success: saved.is_ok(),
                snapshot_id: saved.as_ref().ok().map(|saved| saved.snapshot_id.clone()),
                error: saved.as_ref().err().map(ToString::to_string),
                target: saved.as_ref().map_or(target, |saved| saved.target),
            };
            // A session that is not live any more has no clients.
            let message = ServerMessage::SnapshotResult(result);
            let _ = handle.publish(message).await;
            saved
        });
        saving
            .await
            .unwrap_or_else(|_| Err(retry_later("the snapshot ended unexpectedly").into()))
    }

    /// Waits until the session's agent has ended its turn, at most so long.
    pub(crate) async fn wait_turn_end(&self, id: SessionId, at_most: Duration) {
        let Some(handle) = self.registry.open_handle(id) else {
            return;
        };
        let rest = async {
            while handle.is_busy().await {
                sleep(SESSION_END_LOOK_EVERY).await;
            }
        };
        if timeout(at_most, rest).await.is_err() {
            tracing::info!(session_id = %id, "a session ends in the middle of its agent's turn");
        }
    }

    /// Lets the agent finish its turn, within a bound; then stops it, and what it was doing is reported as cancelled. A
    /// turn that is cut off in the middle of a snapshot would never continue.
    pub(crate) async fn finish_turn(&self, id: SessionId, handle: &Handle) {
        self.wait_turn_end(id, HUB_CLOSE_TURN_MAX).await;
        if handle.is_busy().await
            && let Err(error) = handle.cancel().await
        {
            tracing::warn!(%error, session_id = %id, "an agent was not stopped in the middle of its turn");
        }
    }

    /// Ends a session that is stopped on record, and destroys its sandbox. A session without a sandbox is no error.
    pub(crate) async fn dismiss(&self, session: &Session) -> Result<(), Error> {
        let entry = self.registry.entry_by_id(session.id);
        let sandbox = self.registry.open_sandboxes().get(session.id);
        // A session that is being saved and paused is here until its snapshot is taken, which is of no use any more.
        if let Some(sandbox) = &sandbox {
            sandbox.cancel_saves();
        }
        if let Some(entry) = entry
            && let Some(handle) = entry.handle.get()
        {
            let reason = session.state.reason().unwrap_or("stopped");
            handle.publish_status(LiveStatus::Stopped, reason).await;
            entry.begin_departure(Departure::LeaveRunning);
            handle.stop().await;
            entry.wait_gone().await;
        }
        let sandbox = sandbox.unwrap_or_else(|| self.registry.sandboxes().sandbox_of(session));
        let ended = tokio::spawn(async move { sandbox.destroy().await });
        let panicked = |_| Error::Outside("the provider's client broke".to_owned());
        ended.await.map_err(panicked)?
    }

    /// Destroys a sandbox that its session has left.
    pub(crate) async fn remove_sandbox(
        &self,
        session: &Session,
        sandbox: &str,
    ) -> Result<(), Error> {
        let unreadable = |_| Error::Conflict("the record of the sandbox cannot be read".to_owned());
        let left: Sandbox = serde_json::from_str(sandbox).map_err(unreadable)?;
        let machine = self.registry.sandboxes().machine().await?;
        if left.provider != machine.provider.name() {
            return Err(Error::Outside(
                "another provider made the sandbox".to_owned(),
            ));
        }
        // INVARIANT: never the session's current one.
        let row = {
            let mut conn = self.registry.app().db.read().await?;
            store::session_runtime_fetch(&mut conn, &session.organization_id, session.id).await?
        };
        let current = row.and_then(|row| row.sandbox);
        let current = current.and_then(|text| serde_json::from_str::<Sandbox>(&text).ok());
        if current.is_some_and(|current| current.id == left.id) {
            return Ok(());
        }
        let removed = machine.provider.destroy(&left).await;
        removed.map_err(|error| Error::Outside(error.to_string()))
    }
}
