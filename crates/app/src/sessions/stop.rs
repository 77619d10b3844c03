//! Stops a session for good.

use domain::{
    id::SessionId,
    news::News,
    session::{Session, SessionState},
};

use super::{read::fetch_session, release::release_soon};
use crate::{
    access::{AuditedActor, Insider, SessionOrder},
    actions, audit,
    context::App,
    error::{Error, Result},
    news,
};

/// How often a lost race is tried again: the state changes a few times in a session's life, not all
/// the time.
const ATTEMPTS_MAX: u32 = 5;

/// Stops it, for a caller that may steer it and for admins. Stopping a stopped session changes nothing and succeeds, so
/// that a retry is safe.
pub async fn stop(app: &App, insider: &Insider, id: SessionId, reason: &str) -> Result<Session> {
    {
        let mut conn = app.db.read().await?;
        SessionOrder::read(&mut conn, insider, id).await?;
    }
    end(app, insider, id, reason).await
}

/// The same, for any actor.
pub(crate) async fn end(
    app: &App,
    who: &impl AuditedActor,
    id: SessionId,
    reason: &str,
) -> Result<Session> {
    let organization_id = who.organization_id();
    let mut session = fetch_session(app, organization_id, id).await?;
    for _ in 0..ATTEMPTS_MAX {
        if matches!(session.state, SessionState::Stopped { .. }) {
            // Again: the process that stopped it may have died before its pending invocations ended.
            actions::end_with_session(app, organization_id, id).await?;
            return Ok(session);
        }
        let now = app.now();
        let next = session.state.clone().stop(now, reason)?;
        let mut tx = app.db.write().await?;
        let stopped = store::session_set_state(&mut tx, &session, &next, now).await?;
        if stopped.is_some() {
            audit::record_operation(&mut tx, app, who, "session_stop", Some(id.uuid())).await?;
        }
        tx.commit().await?;
        if let Some(stopped) = stopped {
            tracing::info!(session_id = %id, "session stopped");
            news::publish_soon(app, organization_id, News::Session(id));
            release_soon(app, &stopped);
            actions::end_with_session(app, organization_id, id).await?;
            return Ok(stopped);
        }
        session = fetch_session(app, organization_id, id).await?;
    }
    Err(Error::Conflict(
        "the session keeps changing; try again".to_owned(),
    ))
}
