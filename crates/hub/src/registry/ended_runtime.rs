//! The runtime of a session that has ended: it has no sandbox, and its transcript can still be read.

use async_trait::async_trait;

use crate::session::{BootError, BootErrorCause, BootStages, BootedAgent, Liveness, Runtime};

/// Refuses every boot.
#[derive(Debug)]
pub(super) struct EndedRuntime {
    reason: String,
}

impl EndedRuntime {
    pub(super) fn new(reason: &str) -> Self {
        let reason = reason.to_owned();
        Self { reason }
    }
}

#[async_trait]
impl Runtime for EndedRuntime {
    async fn boot(&self, _: BootStages) -> Result<BootedAgent, BootError> {
        Err(BootError {
            message: format!("the session is over: {}", self.reason),
            retryable: false,
            cause: BootErrorCause::Failed,
        })
    }

    async fn liveness(&self) -> Liveness {
        Liveness::Unknown
    }

    fn is_ended(&self) -> bool {
        true
    }
}
