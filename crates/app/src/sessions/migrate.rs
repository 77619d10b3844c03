//! An admin requests that a session moves to a fresh sandbox.

use domain::{
    id::SessionId,
    session::{InvalidTransition, SessionState},
};

use crate::{
    access::{Admin, SessionOrder, Steering},
    audit,
    context::App,
    error::Result,
};

/// The right to move the session, if it can: only one that runs has a sandbox to move from. The request is recorded;
/// the owner, which has the sandbox, moves it.
pub async fn migrate(app: &App, admin: &Admin, id: SessionId) -> Result<Steering> {
    let (order, session) = {
        let mut conn = app.db.read().await?;
        SessionOrder::read(&mut conn, admin, id).await?
    };
    if !matches!(session.state, SessionState::Running { .. }) {
        let from = session.state.status();
        return Err(InvalidTransition {
            from,
            verb: "migrate",
        }
        .into());
    }
    let mut tx = app.db.write().await?;
    audit::record_operation(&mut tx, app, admin, "session_migrate", Some(id.uuid())).await?;
    tx.commit().await?;
    Ok(Steering::of_order(&order))
}
