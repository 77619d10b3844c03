//! Removes snapshots that nothing refers to any more.
//!
//! INVARIANT: no snapshot is removed between being taken and being on record, or between being chosen and a sandbox being
//! made from it.

use std::sync::Arc;

use app::App;
use sandbox::{Collected, Provider, SnapshotId};
use tokio::sync::{OwnedRwLockReadGuard, RwLock};

/// One for each process. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct SnapshotCollector(Arc<RwLock<()>>);

impl SnapshotCollector {
    /// Keeps every snapshot as long as the guard is held.
    pub(super) async fn hold_snapshots(&self) -> OwnedRwLockReadGuard<()> {
        Arc::clone(&self.0).read_owned().await
    }

    /// Removes unused snapshots, unless a guard is held or a collection runs: the next call does it then.
    pub(super) async fn collect(&self, app: &App, provider: &dyn Provider) {
        let Ok(_exclusive) = self.0.try_write() else {
            return;
        };
        match collect(app, provider).await {
            Ok(collected) if collected == Collected::default() => {}
            Ok(collected) => tracing::debug!(?collected, "removed unused snapshots"),
            Err(error) => tracing::warn!(%error, "unused snapshots were not removed"),
        }
    }
}

/// Deletes the rows first and the data second: after a crash in between, the next collection removes the data.
async fn collect(app: &App, provider: &dyn Provider) -> app::Result<Collected> {
    let mut tx = app.db.write().await?;
    store::snapshot_delete_unused(&mut tx, provider.name()).await?;
    let live = store::snapshot_list_ids(&mut tx, provider.name()).await?;
    tx.commit().await?;
    let live: Vec<SnapshotId> = live.iter().filter_map(|id| id.parse().ok()).collect();
    let collected = provider.collect_snapshots(&live).await;
    collected.map_err(|error| app::Error::Outside(error.to_string()))
}
