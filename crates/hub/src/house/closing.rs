//! Sandboxes of live sessions: saved when somebody asks, put away when this process ends, ended when their session
//! has.

use std::sync::{Arc, MutexGuard, PoisonError, atomic::Ordering};

use app::Error;
use domain::{
    id::{OrganizationId, SessionId},
    limits::{HOUSE_CLOSE_AT_ONCE, HOUSE_CLOSE_TURN_MAX},
    session::Session,
};
use futures::{StreamExt as _, stream};
use wire::live::{LiveStatus, ServerMessage, SnapshotResult, StatusUpdate};

use super::{House, SaveError, Saved, failure::later, runtime::SessionRuntime};
use crate::session::{BootError, Handle, HubError};

const STOPPING: &str = "the gateway stopped; the session goes on when it is opened again";

impl House {
    /// Saves the sandbox of a session, which is brought up if it is not. Everybody who watches is told of the outcome.
    pub async fn save_snapshot(
        &self,
        organization_id: &OrganizationId,
        id: SessionId,
    ) -> Result<Saved, SaveError> {
        let (handle, runtime) = self.up(organization_id, id).await?;
        // To its end, whoever waits for it: what was taken out of the sandbox has to come back.
        let saving = tokio::spawn(async move {
            let saved = runtime.save().await;
            let target = runtime.target().await;
            let result = SnapshotResult {
                success: saved.is_ok(),
                snapshot_id: saved.as_ref().ok().map(|saved| saved.snapshot_id.clone()),
                error: saved.as_ref().err().map(ToString::to_string),
                target: saved.as_ref().map_or(target, |saved| saved.target),
            };
            // Nobody watches a session that is not live any more.
            let _ = handle.tell(ServerMessage::SnapshotResult(result)).await;
            saved
        });
        saving
            .await
            .unwrap_or_else(|_| Err(later("the snapshot ended unexpectedly").into()))
    }

    /// The session with a sandbox that answers.
    pub(super) async fn up(
        &self,
        organization_id: &OrganizationId,
        id: SessionId,
    ) -> Result<(Handle, SessionRuntime), BootError> {
        let opened = self.session(organization_id, id).await;
        let handle = opened.map_err(|error| later(&error.to_string()))?;
        handle.ensure_ready().await.map_err(|error| match error {
            HubError::Boot(error) => error,
            error => later(&error.to_string()),
        })?;
        let runtime = self.sandboxes().get(&id).cloned();
        let runtime = runtime.ok_or_else(|| later("the session is no longer served here"))?;
        Ok((handle, runtime))
    }

    /// Lets all of them go: what is not written yet is written, each sandbox is saved and ended, and its session is
    /// paused. Nothing is opened afterwards. Whoever does not wait for the end leaves sandboxes that go on, on record.
    pub async fn close(&self) {
        self.0.is_closing.store(true, Ordering::SeqCst);
        let open: Vec<(SessionId, Arc<_>)> = {
            let live = self.live();
            let live = live.iter();
            live.map(|(id, slot)| (*id, Arc::clone(slot))).collect()
        };
        let close = stream::iter(open).for_each_concurrent(HOUSE_CLOSE_AT_ONCE, |(id, slot)| {
            let house = self.clone();
            async move {
                let runtime = house.sandboxes().get(&id).cloned();
                let is_up = runtime.as_ref().is_some_and(|it| it.handle().is_some());
                if let Some(handle) = slot.get() {
                    if is_up {
                        house.end_turn(id, handle).await;
                        tell_status(handle, LiveStatus::Paused, STOPPING).await;
                    }
                    handle.stop().await;
                    handle.gone().await;
                }
                if let Some(runtime) = runtime {
                    put_away(runtime, id).await;
                }
            }
        });
        close.await;
    }

    /// Lets the agent finish what it is at, within a bound; then it is stopped, and what it was at is told to be
    /// cancelled. A turn that is cut off in the middle of a snapshot would never go on.
    async fn end_turn(&self, id: SessionId, handle: &Handle) {
        self.settle(id, HOUSE_CLOSE_TURN_MAX).await;
        if handle.is_busy().await
            && let Err(error) = handle.cancel().await
        {
            tracing::warn!(%error, session_id = %id, "an agent was not stopped in the middle of its turn");
        }
    }

    /// Ends the sandbox of a session that has ended. That there is none is no error.
    pub(super) async fn dismiss(&self, session: &Session) -> Result<(), Error> {
        let slot = self.live().get(&session.id).cloned();
        let runtime = self.sandboxes().get(&session.id).cloned();
        if let Some(handle) = slot.as_ref().and_then(|slot| slot.get()) {
            let reason = session.state.reason().unwrap_or("stopped");
            tell_status(handle, LiveStatus::Stopped, reason).await;
            handle.stop().await;
            handle.gone().await;
        }
        let runtime = runtime.unwrap_or_else(|| {
            SessionRuntime::new(&self.0.app, &self.0.workshop, &self.0.shelf, session)
        });
        let ended = tokio::spawn(async move { runtime.dismiss().await });
        let broken = |_| Error::Outside("the provider's client broke".to_owned());
        ended.await.map_err(broken)?
    }

    pub(super) fn has_sandbox(&self, runtime: &SessionRuntime) {
        let id = runtime.0.session_id;
        self.sandboxes().insert(id, runtime.clone());
    }

    pub(super) fn has_no_sandbox(&self, runtime: &SessionRuntime) {
        let mut sandboxes = self.sandboxes();
        let id = runtime.0.session_id;
        let same = |found: &SessionRuntime| Arc::ptr_eq(&found.0, &runtime.0);
        if sandboxes.get(&id).is_some_and(same) {
            sandboxes.remove(&id);
        }
    }

    fn sandboxes(&self) -> MutexGuard<'_, std::collections::HashMap<SessionId, SessionRuntime>> {
        self.0
            .sandboxes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

async fn tell_status(handle: &Handle, status: LiveStatus, message: &str) {
    let message = Some(message.to_owned());
    let told = ServerMessage::Status(StatusUpdate {
        status,
        message,
        is_idle: false,
    });
    // One that has ended by itself has nobody to tell.
    let _ = handle.tell(told).await;
}

/// In a task of its own: it comes to its end also when the process cannot wait for it.
async fn put_away(runtime: SessionRuntime, id: SessionId) {
    let put_away = tokio::spawn(async move { runtime.put_away(STOPPING).await });
    match put_away.await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(%error, session_id = %id, "a sandbox was not put away and goes on");
        }
        Err(error) => tracing::error!(%error, session_id = %id, "a sandbox was not put away"),
    }
}
