//! Sandboxes of live sessions: saved when somebody asks, put away when their session is let go, ended when it has.

use std::sync::{Arc, MutexGuard, PoisonError};

use app::{Error, access::Steering};
use domain::{id::SessionId, limits::HOUSE_CLOSE_TURN_MAX, session::Session};
use wire::live::{LiveStatus, ServerMessage, SnapshotResult, StatusUpdate};

use super::{
    House, SaveError, Saved, failure::later, place::Farewell, runtime::SessionRuntime,
    session_key::SessionKey,
};
use crate::session::{BootError, Handle, HubError};

impl House {
    /// Saves the sandbox of a session, which is brought up if it is not. Everybody who watches is told of the outcome.
    pub async fn save_snapshot(&self, steering: &Steering) -> Result<Saved, SaveError> {
        self.save(&steering.into()).await
    }

    /// The same for any caller inside the house.
    pub(super) async fn save(&self, key: &SessionKey) -> Result<Saved, SaveError> {
        let (handle, runtime) = self.up(key).await?;
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
    pub(super) async fn up(&self, key: &SessionKey) -> Result<(Handle, SessionRuntime), BootError> {
        let opened = self.hub(key).await;
        let handle = opened.map_err(|error| later(&error.to_string()))?;
        handle.ensure_ready().await.map_err(|error| match error {
            HubError::Boot(error) => error,
            error => later(&error.to_string()),
        })?;
        let runtime = self.sandboxes().get(&key.id).cloned();
        let runtime = runtime.ok_or_else(|| later("the session is no longer served here"))?;
        Ok((handle, runtime))
    }

    /// What becomes of the sandbox of a session that is no longer live here.
    pub(super) async fn say_farewell(&self, how: Farewell, runtime: &SessionRuntime) {
        match how {
            Farewell::Leave | Farewell::HandOver(_) => {}
            Farewell::PutAway(reason) => _ = put_away(runtime, reason).await,
            Farewell::Retire(reason) => match put_away(runtime, reason).await {
                // A session that was stopped meanwhile has not failed.
                Ok(()) | Err(SaveError::Stopped) => {}
                Err(error) => runtime.give_up(&error).await,
            },
        }
    }

    /// Lets the agent finish what it is at, within a bound; then it is stopped, and what it was at is told to be
    /// cancelled. A turn that is cut off in the middle of a snapshot would never go on.
    pub(super) async fn end_turn(&self, id: SessionId, handle: &Handle) {
        self.settle(id, HOUSE_CLOSE_TURN_MAX).await;
        if handle.is_busy().await
            && let Err(error) = handle.cancel().await
        {
            tracing::warn!(%error, session_id = %id, "an agent was not stopped in the middle of its turn");
        }
    }

    /// Ends the sandbox of a session that has ended. That there is none is no error.
    pub(super) async fn dismiss(&self, session: &Session) -> Result<(), Error> {
        let place = self.live().get(&session.id).cloned();
        let runtime = self.sandboxes().get(&session.id).cloned();
        // A session that is being put away is here until its snapshot is taken, which is of no use any more.
        if let Some(runtime) = &runtime {
            runtime.0.stopped.cancel();
        }
        if let Some(place) = place
            && let Some(handle) = place.hub.get()
        {
            let reason = session.state.reason().unwrap_or("stopped");
            tell_status(handle, LiveStatus::Stopped, reason).await;
            place.leave(Farewell::Leave);
            handle.stop().await;
            place.gone().await;
        }
        let runtime = runtime.unwrap_or_else(|| self.runtime_of(session));
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

    pub(super) fn sandboxes(
        &self,
    ) -> MutexGuard<'_, std::collections::HashMap<SessionId, SessionRuntime>> {
        self.0
            .sandboxes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) async fn tell_status(handle: &Handle, status: LiveStatus, message: &str) {
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
async fn put_away(runtime: &SessionRuntime, reason: &'static str) -> Result<(), SaveError> {
    let (id, away) = (runtime.0.session_id, runtime.clone());
    let put_away = tokio::spawn(async move { away.put_away(reason).await });
    let broken = |_| Err(later("putting the sandbox away ended unexpectedly").into());
    let outcome = put_away.await.unwrap_or_else(broken);
    if let Err(error) = &outcome {
        tracing::warn!(%error, session_id = %id, "a sandbox was not put away and goes on");
    }
    outcome
}
