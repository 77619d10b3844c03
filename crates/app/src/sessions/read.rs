//! Reads sessions.

use domain::{
    configuration::Configuration,
    id::{InstanceId, IntegrationId, OrganizationId, SessionId},
    lease::LeaseKey,
    limits::SNAPSHOTS_SHOWN_MAX,
    page::{Page, PageRequest},
    session::Session,
    sharing::SessionRight,
};
use store::{Conn, SessionFilter, Snapshot};

use crate::{
    access::{self, Inside, Insider, SessionAccess},
    context::App,
    error::{Error, Result},
};

/// A session and the integrations it may use.
#[derive(Debug)]
pub struct SessionWithConnections {
    pub session: Session,
    pub integration_ids: Vec<IntegrationId>,
    /// What the caller may do with it.
    pub rights: Vec<SessionRight>,
}

pub async fn fetch(app: &App, insider: &Insider, id: SessionId) -> Result<SessionWithConnections> {
    let mut conn = app.db.read().await?;
    let (access, session) = SessionAccess::read(&mut conn, insider, id).await?;
    let organization_id = access.organization_id();
    let integration_ids = store::session_connection_list(&mut conn, organization_id, id).await?;
    let rights = access::rights(&mut conn, insider, &session).await?;
    Ok(SessionWithConnections {
        session,
        integration_ids,
        rights,
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

/// Those that the caller sees, newest first.
pub async fn list(
    app: &App,
    insider: &Insider,
    filter: &SessionFilter,
    page: PageRequest<SessionId>,
) -> Result<Page<ListedSession, SessionId>> {
    let organization_id = insider.organization_id();
    let mut conn = app.db.read().await?;
    let viewer = insider.viewer();
    let page = store::session_list(&mut conn, organization_id, viewer, filter, page).await?;
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
    let mut conn = app.db.read().await?;
    let (access, session) = SessionAccess::read(&mut conn, insider, id).await?;
    let organization_id = access.organization_id();
    let configuration = match session.configuration_id {
        Some(id) => store::configuration_fetch(&mut conn, organization_id, id).await?,
        None => None,
    };
    let snapshots =
        store::snapshot_list_session(&mut conn, organization_id, id, SNAPSHOTS_SHOWN_MAX);
    Ok((session, configuration, snapshots.await?))
}

/// Refuses a snapshot of a session that the caller does not see: it holds that session's files. The one that
/// its configuration starts from was published with it.
pub(crate) async fn check_snapshot(
    conn: &mut Conn,
    who: &impl Inside,
    snapshot_id: Option<&str>,
    published: Option<&str>,
) -> Result<()> {
    let Some(id) = snapshot_id else {
        return Ok(());
    };
    let is_published = published == Some(id);
    let found = store::snapshot_fetch(conn, who.organization_id(), id).await?;
    let Some(snapshot) = found.filter(|_| !is_published) else {
        return Ok(());
    };
    match SessionAccess::read(conn, who, snapshot.session_id).await {
        Ok(_) => Ok(()),
        Err(Error::NotFound(_)) => Err(Error::NotFound("snapshot")),
        Err(error) => Err(error),
    }
}

/// For the gateway itself; a caller's use case begins with [`SessionAccess`].
pub(crate) async fn fetch_session(
    app: &App,
    organization_id: &OrganizationId,
    id: SessionId,
) -> Result<Session> {
    let session = store::session_fetch(&mut app.db.read().await?, organization_id, id).await?;
    session.ok_or(Error::NotFound("session"))
}
