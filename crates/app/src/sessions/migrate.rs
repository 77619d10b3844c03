//! An admin's word that a session is to move to a fresh sandbox.

use domain::{
    id::SessionId,
    session::{InvalidTransition, Session, SessionState},
};

use super::read::fetch_session;
use crate::{access::Admin, audit, context::App, error::Result};

/// The session, if it can move: only one that runs has a sandbox to move from. That it was asked for is on record;
/// whoever has the sandbox does it.
pub async fn migrate(app: &App, admin: &Admin, id: SessionId) -> Result<Session> {
    let session = fetch_session(app, admin.organization_id(), id).await?;
    if !matches!(session.state, SessionState::Running { .. }) {
        let from = session.state.status();
        return Err(InvalidTransition {
            from,
            verb: "migrate",
        }
        .into());
    }
    let mut tx = app.db.write().await?;
    audit::done(&mut tx, app, admin, "session_migrate", Some(id.uuid())).await?;
    tx.commit().await?;
    Ok(session)
}
