//! Looking at sessions.

use domain::{
    id::{IntegrationId, OrganizationId, SessionId},
    page::{Page, PageRequest},
    session::Session,
};
use store::{SessionFilter, SessionGlance};

use crate::{
    access::Insider,
    context::App,
    error::{Error, Result},
};

/// A session and the integrations it may use.
#[derive(Debug)]
pub struct SessionWithConnections {
    pub session: Session,
    pub integration_ids: Vec<IntegrationId>,
}

pub async fn fetch(app: &App, insider: &Insider, id: SessionId) -> Result<SessionWithConnections> {
    let organization_id = insider.organization_id();
    let mut conn = app.db.read().await?;
    let session = conn.session_fetch(organization_id, id).await?;
    let session = session.ok_or(Error::NotFound("session"))?;
    let integration_ids = conn.session_connection_list(organization_id, id).await?;
    Ok(SessionWithConnections {
        session,
        integration_ids,
    })
}

/// Newest first, each with what a list shows of it besides.
pub async fn list(
    app: &App,
    insider: &Insider,
    filter: &SessionFilter,
    page: PageRequest<SessionId>,
) -> Result<Page<(Session, SessionGlance), SessionId>> {
    let organization_id = insider.organization_id();
    let mut conn = app.db.read().await?;
    let page = conn.session_list(organization_id, filter, page).await?;
    let ids: Vec<SessionId> = page.items.iter().map(|session| session.id).collect();
    let glances = conn
        .session_glances(organization_id, &ids, app.now())
        .await?;
    Ok(Page {
        items: page.items.into_iter().zip(glances).collect(),
        next: page.next,
    })
}

pub(crate) async fn fetch_session(
    app: &App,
    organization_id: &OrganizationId,
    id: SessionId,
) -> Result<Session> {
    let session = app
        .db
        .read()
        .await?
        .session_fetch(organization_id, id)
        .await?;
    session.ok_or(Error::NotFound("session"))
}
