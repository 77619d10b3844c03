//! Naming a session.

use domain::{
    id::SessionId, invalid::bounded_text, limits::TITLE_LENGTH_MAX, news::News, session::Session,
};

use crate::{
    access::Insider,
    context::App,
    error::{Error, Result},
    news,
};

/// `None` takes the title away.
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
    let session = tx
        .session_set_title(insider.organization_id(), id, title, app.now())
        .await?;
    tx.commit().await?;
    let session = session.ok_or(Error::NotFound("session"))?;
    news::tell(app, insider.organization_id(), News::Session(id));
    Ok(session)
}
