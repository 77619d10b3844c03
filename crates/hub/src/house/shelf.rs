//! Snapshots that nothing refers to any more are let go of.
//!
//! INVARIANT: none is let go of between being taken and being on record, or between being chosen and being stood on.

use std::sync::Arc;

use app::App;
use sandbox::{Collected, Provider, SnapshotId};
use tokio::sync::{OwnedRwLockReadGuard, RwLock};

/// Of one process. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(super) struct Shelf(Arc<RwLock<()>>);

impl Shelf {
    /// While this is held nothing is let go of.
    pub(super) async fn in_use(&self) -> OwnedRwLockReadGuard<()> {
        Arc::clone(&self.0).read_owned().await
    }

    /// Lets go of what nothing refers to, unless somebody is at it: then the next time.
    pub(super) async fn collect(&self, app: &App, provider: &dyn Provider) {
        let Ok(_alone) = self.0.try_write() else {
            return;
        };
        match collect(app, provider).await {
            Ok(collected) if collected == Collected::default() => {}
            Ok(collected) => tracing::debug!(?collected, "snapshots that nothing refers to"),
            Err(error) => tracing::warn!(%error, "old snapshots were not removed"),
        }
    }
}

/// Forgotten first, and removed then: whoever dies in between leaves what the next one removes.
async fn collect(app: &App, provider: &dyn Provider) -> app::Result<Collected> {
    let mut tx = app.db.write().await?;
    tx.snapshot_delete_unused(provider.name()).await?;
    let live = tx.snapshot_list_ids(provider.name()).await?;
    tx.commit().await?;
    let live: Vec<SnapshotId> = live.iter().filter_map(|id| id.parse().ok()).collect();
    let collected = provider.collect(&live).await;
    collected.map_err(|error| app::Error::Outside(error.to_string()))
}
