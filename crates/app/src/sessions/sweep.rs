//! Sessions whose process died while it was making their sandbox: ended with the reason, so that
//! no client waits for them and a member can recover them.

use domain::{
    limits::{SESSION_STARTING_MAX, SESSION_SWEEP_BATCH_MAX},
    news::News,
};

use crate::{context::App, error::Result, news};

/// Ends at most one batch; says how many. Safe to run anywhere, any number of times.
pub async fn sweep_stuck(app: &App) -> Result<usize> {
    let now = app.now();
    let before = now.minus(SESSION_STARTING_MAX);
    let mut tx = app.db.write().await?;
    let mut ended = Vec::new();
    for session in store::session_list_stuck(&mut tx, before, SESSION_SWEEP_BATCH_MAX).await? {
        let reason = "the gateway that was starting this session went away";
        let next = session.state.clone().fail(now, reason)?;
        if store::session_set_state(&mut tx, &session, &next, now)
            .await?
            .is_some()
        {
            tracing::warn!(session_id = %session.id, "{reason}");
            ended.push(session);
        }
    }
    tx.commit().await?;
    for session in &ended {
        news::publish_soon(app, &session.organization_id, News::Session(session.id));
    }
    Ok(ended.len())
}
