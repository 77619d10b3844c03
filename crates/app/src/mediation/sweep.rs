//! Calls that a dead process left running. What became of their effect nobody knows, so that is what is
//! written down; they are never done again.

use domain::limits::RUN_SWEEP_BATCH_MAX;

use super::runs::give_up;
use crate::{context::App, error::Result};

/// Ends calls past their deadline, and says how many. A call that still runs here ended itself before: its
/// deadline is later than its time-out by more than its end takes.
pub async fn sweep(app: &App) -> Result<usize> {
    let overdue = {
        let mut conn = app.db.read().await?;
        conn.run_overdue_list(app.now(), RUN_SWEEP_BATCH_MAX)
            .await?
    };
    let mut ended = 0;
    for run in overdue {
        let (run_id, organization_id) = (run.id, run.organization_id.clone());
        if give_up(app, run).await? {
            tracing::warn!(%run_id, %organization_id, "a call was cut off; its outcome is unknown");
            ended += 1;
        }
    }
    Ok(ended)
}
