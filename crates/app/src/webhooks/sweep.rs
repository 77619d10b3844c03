//! Removes old deliveries.

use domain::limits::{
    WEBHOOK_DELIVERY_RETENTION, WEBHOOK_SWEEP_BATCH_MAX, WEBHOOK_SWEEP_BATCHES_MAX,
};

use crate::{context::App, error::Result};

/// Removes deliveries that ended before the retention period, and returns how many.
pub async fn sweep(app: &App) -> Result<u64> {
    let before = app.now().minus(WEBHOOK_DELIVERY_RETENTION);
    let mut removed = 0;
    for _ in 0..WEBHOOK_SWEEP_BATCHES_MAX {
        let mut tx = app.db.write().await?;
        let batch = store::webhook_delivery_sweep(&mut tx, before, WEBHOOK_SWEEP_BATCH_MAX);
        let batch = batch.await?;
        tx.commit().await?;
        removed += batch;
        if batch < u64::from(WEBHOOK_SWEEP_BATCH_MAX) {
            break;
        }
    }
    Ok(removed)
}
