//! Reads sessions.

use domain::{
    configuration::Configuration,
    id::{InstanceId, IntegrationId, OrganizationId, SessionId},
    lease::LeaseKey,
    limits::SNAPSHOTS_SHOWN_MAX,
    page::{Page, PageRequest},
    session::Session,
};
use store::{SessionFilter, Snapshot};

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
    let session = store::session_fetch(&mut conn, organization_id, id).await?;
    let session = session.ok_or(Error::NotFound("session"))?;
    let integration_ids = store::session_connection_list(&mut conn, organization_id, id).await?;
    Ok(SessionWithConnections {
        session,
        integration_ids,
    })
}

/// A session in a list, with what is shown of it besides.
#[derive(Debug)]
pub struct ListedSession {
    pub session: Session,
    /// Actions that wait for a decision, and forms that wait for values.
    pub needs_you: u64,
    pub cost_micro_usd: u64,
    /// Which instance serves it, if any does and coordination can say it.
    pub owner: Option<InstanceId>,
}

/// Newest first.
pub async fn list(
    app: &App,
    insider: &Insider,
    filter: &SessionFilter,
    page: PageRequest<SessionId>,
) -> Result<Page<ListedSession, SessionId>> {
    let organization_id = insider.organization_id();
    let mut conn = app.db.read().await?;
    let page = store::session_list(&mut conn, organization_id, filter, page).await?;
    let ids: Vec<SessionId> = page.items.iter().map(|session| session.id).collect();
    let glances = store::session_glances(&mut conn, organization_id, &ids, app.now()).await?;
    drop(conn);
    let owners = owners(app, &ids).await;
    let seen = page.items.into_iter().zip(glances).zip(owners);
    let listed = seen.map(|((session, glance), owner)| ListedSession {
        needs_you: u64::try_from(glance.waiting + glance.forms).unwrap_or_default(),
        cost_micro_usd: u64::try_from(glance.cost_micro_usd).unwrap_or_default(),
        owner,
        session,
    });
    Ok(Page {
        items: listed.collect(),
        next: page.next,
    })
}

/// Which instances serve them now. A list is useful without.
async fn owners(app: &App, ids: &[SessionId]) -> Vec<Option<InstanceId>> {
    let keys: Vec<LeaseKey> = ids.iter().copied().map(LeaseKey::Owner).collect();
    let owners = app.coordination.owners(&keys).await;
    owners.unwrap_or_else(|error| {
        tracing::debug!(%error, "a list does not say who serves its sessions");
        vec![None; ids.len()]
    })
}

/// The session, and the snapshots of its sandboxes with the one it began with, newest first.
pub async fn snapshots(
    app: &App,
    insider: &Insider,
    id: SessionId,
) -> Result<(Session, Option<Configuration>, Vec<Snapshot>)> {
    let organization_id = insider.organization_id();
    let session = fetch_session(app, organization_id, id).await?;
    let mut conn = app.db.read().await?;
    let configuration = match session.configuration_id {
        Some(id) => store::configuration_fetch(&mut conn, organization_id, id).await?,
        None => None,
    };
    let snapshots =
        store::snapshot_list_session(&mut conn, organization_id, id, SNAPSHOTS_SHOWN_MAX);
    Ok((session, configuration, snapshots.await?))
}

pub(crate) async fn fetch_session(
    app: &App,
    organization_id: &OrganizationId,
    id: SessionId,
) -> Result<Session> {
    let session = store::session_fetch(&mut app.db.read().await?, organization_id, id).await?;
    session.ok_or(Error::NotFound("session"))
}
