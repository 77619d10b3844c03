//! Sessions that are over: their sandboxes are put away, and what was said stays to be read.

use std::time::Duration;

use app::Error;
use async_trait::async_trait;
use domain::{
    id::SessionId,
    limits::SESSION_END_LOOK_EVERY,
    session::{Session, SessionState},
};
use sandbox::Handle as Sandbox;
use tokio::time::{sleep, timeout};
use wire::live::{LiveStatus, ServerMessage, StatusUpdate};

use super::House;
use crate::session::{BootError, Booted, Handle, Liveness, Runtime, Stages};

/// The runtime of a session that is over: none.
#[derive(Debug)]
pub(super) struct Over {
    reason: String,
}

impl Over {
    pub(super) fn new(reason: &str) -> Self {
        let reason = reason.to_owned();
        Self { reason }
    }
}

#[async_trait]
impl Runtime for Over {
    async fn boot(&self, _: Stages) -> Result<Booted, BootError> {
        Err(BootError {
            message: format!("the session is over: {}", self.reason),
            retryable: false,
        })
    }

    async fn liveness(&self) -> Liveness {
        Liveness::Unknown
    }

    fn is_over(&self) -> bool {
        true
    }
}

impl House {
    /// Waits until the session's agent has ended its turn, at most so long.
    pub(super) async fn settle(&self, id: SessionId, at_most: Duration) {
        let Some(handle) = self.live_handle(id) else {
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

    /// Lets whoever watches know, lets the hub go, and puts the sandbox away.
    pub(super) async fn dismiss(&self, session: &Session) -> Result<(), Error> {
        if let Some(handle) = self.live_handle(session.id) {
            let message = match &session.state {
                SessionState::Stopped { reason, .. } => Some(reason.clone()),
                _ => None,
            };
            let status = LiveStatus::Stopped;
            let told = ServerMessage::Status(StatusUpdate {
                status,
                message,
                is_idle: false,
            });
            // A hub that ended by itself has nobody to tell.
            let _ = handle.tell(told).await;
            handle.stop().await;
        }
        let row = {
            let mut conn = self.0.app.db.read().await?;
            conn.session_runtime_fetch(&session.organization_id, session.id)
                .await?
        };
        let row = row.unwrap_or_default();
        let Some(sandbox) = row.sandbox.as_deref() else {
            return Ok(());
        };
        let machine = self.0.workshop.machine().await;
        let machine = machine.map_err(|closed| Error::Outside(closed.reason))?;
        if row.provider.as_deref() != Some(machine.provider.name()) {
            return Err(Error::Busy("another provider made the sandbox"));
        }
        let Ok(sandbox) = serde_json::from_str::<Sandbox>(sandbox) else {
            tracing::error!(session_id = %session.id, "the record of a sandbox cannot be read");
            return Err(Error::Busy("the record of the sandbox cannot be read"));
        };
        let destroyed = machine.provider.destroy(&sandbox).await;
        destroyed.map_err(|error| Error::Outside(error.to_string()))
    }

    fn live_handle(&self, id: SessionId) -> Option<Handle> {
        self.live().get(&id)?.get().cloned()
    }
}
