//! Sessions that are over: their sandboxes are put away, and what was said stays to be read.

use std::time::Duration;

use async_trait::async_trait;
use domain::{id::SessionId, limits::SESSION_END_LOOK_EVERY};
use tokio::time::{sleep, timeout};

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
            is_withheld: false,
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

    pub(super) fn live_handle(&self, id: SessionId) -> Option<Handle> {
        self.live().get(&id)?.hub.get().cloned()
    }
}
