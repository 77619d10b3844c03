//! Waits for the end of a run.

use std::time::Duration;

use domain::{
    id::{OrganizationId, RunId},
    limits::RUN_POLL_EVERY,
    run::{Run, RunState},
};

use super::decision::CallOutcome;
use crate::{context::App, error::Result};

/// The outcome of a call that was made before: it is waited for while it runs. An action that is held is not: its
/// caller is told that it waits for approval.
pub(super) async fn replay(app: &App, run: Run, wait: Duration) -> Result<CallOutcome> {
    let run = match run.state {
        RunState::Running { .. } => {
            let ended = wait_for(app, &run.organization_id, run.id, wait).await?;
            ended.unwrap_or(run)
        }
        _ => run,
    };
    Ok(CallOutcome {
        replayed: true,
        ..CallOutcome::new(run, None)
    })
}

/// Waits for a run to end, for `wait` at the most, and returns it as it stands. `None` if there is no such run.
pub async fn wait_for(
    app: &App,
    organization_id: &OrganizationId,
    id: RunId,
    wait: Duration,
) -> Result<Option<Run>> {
    if let Ok(ended) = tokio::time::timeout(wait, ended(app, organization_id, id)).await {
        return ended;
    }
    let mut conn = app.db.read().await?;
    Ok(store::run_fetch(&mut conn, organization_id, id).await?)
}

async fn ended(app: &App, organization_id: &OrganizationId, id: RunId) -> Result<Option<Run>> {
    loop {
        // Taken before the look: an end between the two is not missed.
        let signals = app.running_calls().get(id);
        let run = {
            let mut conn = app.db.read().await?;
            store::run_fetch(&mut conn, organization_id, id).await?
        };
        match run {
            Some(run) if !run.state.is_terminal() => {}
            ended => return Ok(ended),
        }
        match signals {
            Some(signals) => signals.ended.cancelled().await,
            // The end of a call of another instance is found by looking again.
            None => tokio::time::sleep(RUN_POLL_EVERY).await,
        }
    }
}
