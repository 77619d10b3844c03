//! Grants: permissions given in advance for writes. Made by an admin, or with an approval; an agent can only request
//! one.

mod basis;
pub(crate) mod built_in;
mod explain;
mod ledger;
mod request;

use domain::{
    action::{GrantDraft, GrantScope},
    caller::Caller,
    id::{GrantId, InvocationId, OrganizationId, SessionId},
    limits::GRANT_RETENTION,
    news::News,
    page::{Page, PageRequest},
    sharing::SessionViewer,
};
use store::{Conn, GrantUse, InvocationRecord};

pub use basis::bind_built_in;
pub(crate) use basis::of_approved as basis_of_approved;
pub(crate) use built_in::digest_of;
pub use explain::{BacktestResult, GrantExplanation, backtest, explain};
pub use ledger::{LedgerEntry, SuspendedAction};
pub use request::{grant_request, list_requests, refuse_request, request_grant};

use crate::{
    access::{Admin, Inside as _, Insider, SessionAccess},
    actions, audit,
    context::App,
    error::{Error, Result},
    news,
};

/// All of the organization, also those that are over, newest first, but those for a session that the caller does not
/// see.
pub async fn list(
    app: &App,
    insider: &Insider,
    page: PageRequest<GrantId>,
) -> Result<Page<LedgerEntry, GrantId>> {
    let organization_id = insider.organization_id();
    let mut conn = app.db.read().await?;
    let found = store::grant_page(&mut conn, organization_id, insider.viewer(), page).await?;
    ledger::page(app, &mut conn, organization_id, found).await
}

/// Those that a session can use now, newest first.
pub async fn list_usable(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    page: PageRequest<GrantId>,
) -> Result<Page<LedgerEntry, GrantId>> {
    actions::check_session_access(app, caller, session_id).await?;
    let mut conn = app.db.read().await?;
    let organization_id = caller.organization_id();
    let found =
        store::grant_page_usable(&mut conn, organization_id, session_id, app.now(), page).await?;
    ledger::page(app, &mut conn, organization_id, found).await
}

pub async fn fetch(app: &App, insider: &Insider, id: GrantId) -> Result<LedgerEntry> {
    let organization_id = insider.organization_id();
    let mut conn = app.db.read().await?;
    let found = store::grant_fetch(&mut conn, organization_id, id).await?;
    let found = found.ok_or(Error::NotFound("grant"))?;
    if let GrantScope::Session(session_id) = found.grant.scope {
        match SessionAccess::read(&mut conn, insider, session_id).await {
            Ok(_) => {}
            Err(Error::NotFound(_)) => return Err(Error::NotFound("grant")),
            Err(error) => return Err(error),
        }
    }
    ledger::entry(app, &mut conn, organization_id, found).await
}

/// The calls that ran under a grant in sessions that the caller sees, newest first.
pub async fn calls(
    app: &App,
    insider: &Insider,
    id: GrantId,
    page: PageRequest<InvocationId>,
) -> Result<Page<InvocationRecord, InvocationId>> {
    fetch(app, insider, id).await?;
    let mut conn = app.db.read().await?;
    let (organization_id, viewer) = (insider.organization_id(), insider.viewer());
    Ok(store::invocation_page_of_grant(&mut conn, organization_id, viewer, id, page).await?)
}

/// Makes a grant, for what the actions that it names are now.
pub async fn create(app: &App, admin: &Admin, draft: GrantDraft) -> Result<LedgerEntry> {
    let now = app.now();
    draft.check(now)?;
    let organization_id = admin.organization_id();
    basis::pin_unseen_tools(app, organization_id, &draft).await?;
    let mut tx = app.db.write().await?;
    scope_must_exist(&mut tx, organization_id, draft.scope).await?;
    let id = GrantId::generate(now, &*app.entropy);
    let given_for = basis::of_draft(app, &mut tx, organization_id, &draft).await?;
    let allowed = (admin.user_id().clone(), given_for);
    let grant = draft.into_grant(id, organization_id.clone(), allowed, now);
    store::grant_insert(&mut tx, &grant).await?;
    audit::record_operation(&mut tx, app, admin, "grant_create", Some(id.uuid())).await?;
    let used = GrantUse {
        grant,
        last_used_at: None,
    };
    let entry = ledger::entry(app, &mut tx, organization_id, used).await?;
    tx.commit().await?;
    news::publish_soon(app, organization_id, News::Grant(id));
    Ok(entry)
}

/// Withdraws a grant: no call begins under it from now on.
pub async fn revoke(app: &App, admin: &Admin, id: GrantId) -> Result<LedgerEntry> {
    let organization_id = admin.organization_id();
    let mut tx = app.db.write().await?;
    let found = store::grant_fetch(&mut tx, organization_id, id).await?;
    let mut found = found.ok_or(Error::NotFound("grant"))?;
    if store::grant_revoke(&mut tx, organization_id, id, app.now()).await? {
        found.grant.revoked_at = Some(app.now());
        audit::record_operation(&mut tx, app, admin, "grant_revoke", Some(id.uuid())).await?;
        tx.commit().await?;
        news::publish_soon(app, organization_id, News::Grant(id));
    }
    Ok(LedgerEntry::without_suspensions(found))
}

/// Removes grants that ended before the retention period.
pub async fn sweep(app: &App) -> Result<usize> {
    let mut tx = app.db.write().await?;
    let removed = store::grant_delete_over(&mut tx, app.now().minus(GRANT_RETENTION)).await?;
    tx.commit().await?;
    Ok(usize::try_from(removed).unwrap_or(usize::MAX))
}

/// A grant for a session is for one that is there.
async fn scope_must_exist(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    scope: GrantScope,
) -> Result<()> {
    let GrantScope::Session(session_id) = scope else {
        return Ok(());
    };
    // Only admins make grants, and they see every session.
    let asked = [(organization_id, session_id, SessionViewer::All)];
    if store::fact_sessions(conn, &asked).await? == [true] {
        return Ok(());
    }
    Err(Error::NotFound("session"))
}
