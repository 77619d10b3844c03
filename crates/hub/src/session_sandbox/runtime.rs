//! The runtime of a live session: what its loop asks for is done to its sandbox.

use async_trait::async_trait;

use super::{boot::boot_sandbox, failure::retry_later, sandbox::SessionSandbox};
use crate::session::{BootError, BootStages, BootedAgent, Liveness, Runtime};

#[async_trait]
impl Runtime for SessionSandbox {
    async fn boot(&self, stages: BootStages) -> Result<BootedAgent, BootError> {
        let sandbox = self.clone();
        let boot = tokio::spawn(async move { boot_sandbox(&sandbox, &stages).await });
        boot.await
            .unwrap_or_else(|_| Err(retry_later("the boot ended unexpectedly")))
    }

    async fn mark_boot_failed(&self, why: &BootError) {
        let (sandbox, reason) = (self.clone(), why.message.clone());
        let failed = tokio::spawn(async move { sandbox.mark_starting_failed(&reason).await });
        if let Err(error) = failed.await {
            tracing::error!(%error, session_id = %self.session_id(), "the task that records a failed session panicked");
        }
    }

    async fn end_agent(&self, why: &str) {
        let (sandbox, why) = (self.clone(), why.to_owned());
        let ended = tokio::spawn(async move { sandbox.end_excessive_agent(&why).await });
        if let Err(error) = ended.await {
            tracing::error!(%error, session_id = %self.session_id(), "the task that ends an agent panicked");
        }
    }

    async fn liveness(&self) -> Liveness {
        let (Some(machine), Some(handle)) = (self.lazy_machine().opened(), self.handle()) else {
            return Liveness::Unknown;
        };
        match machine.provider.liveness(&handle).await {
            sandbox::Liveness::Alive => Liveness::Alive,
            sandbox::Liveness::Dead => Liveness::Dead,
            sandbox::Liveness::Unknown => Liveness::Unknown,
        }
    }

    async fn over_budget_reason(&self) -> Option<String> {
        let reason = self.read_rest_reason().await;
        reason.map(|reason| reason.to_string())
    }

    async fn pause_for_budget(&self) {
        self.save_and_pause_for_budget().await;
    }
}
