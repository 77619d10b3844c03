//! The right to steer a session: prompt its agent, stop it, save it.

use domain::id::SessionId;

use crate::{
    access::{Inside, Insider, SessionAccess, Steering},
    audit,
    context::App,
    error::Result,
};

/// The right to steer the session, by the table of `domain::sharing`, while the session has not ended.
pub async fn steer(app: &App, who: &impl Inside, id: SessionId) -> Result<Steering> {
    Steering::of(app, who, id).await
}

/// Records that the caller asks for `operation`, such as `session_cancel`: a change that is made in the session's hub or
/// sandbox and has no transaction of its own. It is on record before it is made.
pub async fn record(
    app: &App,
    insider: &Insider,
    access: &SessionAccess,
    operation: &'static str,
) -> Result<()> {
    let id = Some(access.session_id().uuid());
    let mut tx = app.db.write().await?;
    audit::record_operation(&mut tx, app, insider, operation, id).await?;
    tx.commit().await?;
    Ok(())
}
