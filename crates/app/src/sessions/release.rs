//! Removes the sandboxes of sessions that are over.

use domain::{
    limits::{SESSION_END_FOLLOWS_MAX, SESSION_RELEASE_BATCH_MAX},
    session::Session,
};

use crate::{context::App, error::Result};

/// Releases the sandbox in a task of its own; the caller does not wait. A sweep does it if this process dies meanwhile.
pub(super) fn release_soon(app: &App, session: &Session) {
    let (app, session) = (app.clone(), session.clone());
    tokio::spawn(async move {
        if let Err(error) = release(&app, &session).await {
            tracing::warn!(%error, session_id = %session.id, "a sandbox that was put away is still on record");
        }
    });
}

/// Removes the sandbox of a session, and returns whether it is gone.
async fn release(app: &App, session: &Session) -> Result<bool> {
    if let Err(error) = app.provisioner.dismiss(session).await {
        tracing::debug!(%error, session_id = %session.id, "a sandbox is not put away yet");
        return Ok(false);
    }
    let mut tx = app.db.write().await?;
    store::session_clear_sandbox(&mut tx, session).await?;
    tx.commit().await?;
    Ok(true)
}

/// Releases the sandboxes that are left, at most one batch, and returns how many. Safe to run on any instance, any number
/// of times.
pub async fn sweep_released(app: &App) -> Result<usize> {
    let by = app.now().minus(SESSION_END_FOLLOWS_MAX);
    let left = {
        let mut conn = app.db.read().await?;
        store::session_list_to_release(&mut conn, by, SESSION_RELEASE_BATCH_MAX).await?
    };
    let mut released = 0;
    for session in left {
        if release(app, &session).await? {
            released += 1;
        }
    }
    Ok(released)
}
