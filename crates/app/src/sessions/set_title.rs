//! Sets the title of a session.

use domain::{
    id::SessionId, invalid::bounded_text, limits::TITLE_LENGTH_MAX, news::News, session::Session,
};

use crate::{
    access::{Insider, SessionOrder},
    audit,
    context::App,
    error::{Error, Result},
    news,
};

/// For a caller that may steer the session and for admins. `None` removes the title.
pub async fn set_title(
    app: &App,
    insider: &Insider,
    id: SessionId,
    title: Option<&str>,
) -> Result<Session> {
    if let Some(title) = title {
        bounded_text("title", title, 1, TITLE_LENGTH_MAX)?;
    }
    let mut tx = app.db.write().await?;
    SessionOrder::read(&mut tx, insider, id).await?;
    let session =
        store::session_set_title(&mut tx, insider.organization_id(), id, title, app.now()).await?;
    let session = session.ok_or(Error::NotFound("session"))?;
    audit::record_operation(&mut tx, app, insider, "session_update", Some(id.uuid())).await?;
    tx.commit().await?;
    news::publish_soon(app, insider.organization_id(), News::Session(id));
    Ok(session)
}
