//! The background work of this instance, and what it needs.

use std::sync::Arc;

use domain::limits::{
    ADOPT_AT_ONCE, HUB_EVICT_AT_ONCE, HUB_LOOK_EVERY, MIGRATION_LOOK_EVERY, SUSPENSION_LOOK_EVERY,
    SWEEP_THOROUGH_EVERY,
};
use futures::{StreamExt as _, stream};
use tokio::{sync::Semaphore, time::sleep};
use tokio_util::sync::CancellationToken;

use super::sweep::SweepState;
use crate::{registry::Registry, sandbox_control::SandboxControl};

/// The part of the hub that acts without a caller. Clones share its state.
#[derive(Debug, Clone)]
pub struct Fleet {
    pub(super) registry: Registry,
    pub(super) sandboxes: SandboxControl,
    pub(super) sweeps: Arc<SweepState>,
    /// Bounds how many sessions are opened at once that other instances hand over.
    pub(super) adoptions: Arc<Semaphore>,
}

impl Fleet {
    pub(crate) fn new(registry: Registry, sandboxes: SandboxControl) -> Self {
        Self {
            registry,
            sandboxes,
            sweeps: Arc::default(),
            adoptions: Arc::new(Semaphore::new(ADOPT_AT_ONCE)),
        }
    }

    /// Runs until `stop`: evicts sessions that are unused, takes those that have no owner or that other instances hand
    /// over, moves those whose sandboxes expire soon, and pauses those of suspended organizations.
    pub async fn run(&self, stop: CancellationToken) {
        let every = HUB_LOOK_EVERY.min(self.registry.limits().idle_ttl / 2);
        let sweeps = async {
            for round in 0_u32.. {
                sleep(every).await;
                self.evict_idle().await;
                self.adopt().await;
                self.sweep(round.is_multiple_of(SWEEP_THOROUGH_EVERY)).await;
            }
        };
        let expiries = async {
            loop {
                sleep(MIGRATION_LOOK_EVERY).await;
                self.sandboxes.migrate_due().await;
            }
        };
        let suspensions = async {
            loop {
                sleep(SUSPENSION_LOOK_EVERY).await;
                self.pause_suspended().await;
            }
        };
        tokio::select! {
            biased;
            // Sessions that are leaving then do so in tasks of their own.
            () = stop.cancelled() => {}
            () = sweeps => {}
            () = self.receive_peer_messages() => {}
            () = expiries => {}
            () = suspensions => {}
        }
    }

    /// Evicts the sessions that were unused for long enough. Returns how many.
    pub async fn evict_idle(&self) -> usize {
        let registry = &self.registry;
        let idle_ttl = registry.limits().idle_ttl;
        let evicted = stream::iter(registry.entries())
            .map(|(id, entry)| async move {
                let is_leaving = registry.evict_if_quiet(id, &entry, idle_ttl).await;
                if is_leaving {
                    entry.wait_gone().await;
                }
                is_leaving
            })
            .buffer_unordered(HUB_EVICT_AT_ONCE)
            .filter(|is_gone| std::future::ready(*is_gone))
            .count()
            .await;
        if evicted > 0 {
            tracing::info!(evicted, "evicted sessions that were unused");
        }
        evicted
    }
}
