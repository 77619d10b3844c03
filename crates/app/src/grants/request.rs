//! An agent's wish for a grant, and an admin's answer.

use domain::{
    action::{GrantDraft, GrantRequest, GrantRequestStatus, NotDecided},
    caller::Caller,
    id::{GrantId, GrantRequestId, SessionId},
    limits::GRANT_REQUESTS_PENDING_PER_SESSION_MAX,
    news::News,
    page::{Page, PageRequest},
};
use store::GrantUse;

use super::{basis, ledger, ledger::LedgerEntry};
use crate::{
    access::{Acting as _, Admin, Insider, Participant},
    actions, audit,
    context::App,
    error::{Error, Result},
    news,
};

/// Notes an agent's wish. Nothing is granted by it.
pub async fn wish(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    draft: GrantDraft,
) -> Result<GrantRequest> {
    actions::must_be_in(app, caller, session_id).await?;
    let who = Participant::of(caller)?;
    let (organization_id, now) = (who.organization_id(), app.now());
    let id = GrantRequestId::generate(now, &*app.entropy);
    let request = GrantRequest::new(id, organization_id.clone(), session_id, draft, now)?;
    let mut tx = app.db.write().await?;
    let waiting = tx.grant_request_pending_count(organization_id, session_id, now);
    if waiting.await? >= i64::from(GRANT_REQUESTS_PENDING_PER_SESSION_MAX) {
        return Err(Error::RateLimited {
            message: "too many wishes of this session wait for an admin",
            retry_after: domain::limits::ACTION_PENDING_RETRY_AFTER,
        });
    }
    tx.grant_request_insert(&request).await?;
    audit::done(&mut tx, app, &who, "grant_request_create", Some(id.uuid())).await?;
    tx.commit().await?;
    tell(app, &request);
    Ok(request)
}

/// Wishes of the organization's agents, newest first.
pub async fn list_wishes(
    app: &App,
    insider: &Insider,
    status: Option<GrantRequestStatus>,
    page: PageRequest<GrantRequestId>,
) -> Result<Page<GrantRequest, GrantRequestId>> {
    let mut conn = app.db.read().await?;
    let organization_id = insider.organization_id();
    let mut page = conn
        .grant_request_page(organization_id, status, page)
        .await?;
    for request in &mut page.items {
        request.state = request.state.clone().seen_at(app.now());
    }
    Ok(page)
}

/// Grants a wish: the wish is settled and the grant is there, or neither.
pub async fn grant_wish(
    app: &App,
    admin: &Admin,
    id: GrantRequestId,
) -> Result<(GrantRequest, LedgerEntry)> {
    let now = app.now();
    let organization_id = admin.organization_id();
    let wanted = {
        let mut conn = app.db.read().await?;
        conn.grant_request_fetch(organization_id, id).await?
    };
    let wanted = wanted.ok_or(Error::NotFound("grant request"))?;
    basis::learn(app, organization_id, &wanted.draft).await?;
    let mut tx = app.db.write().await?;
    let request = tx.grant_request_fetch(organization_id, id).await?;
    let request = request.ok_or(Error::NotFound("grant request"))?;
    let grant_id = GrantId::generate(now, &*app.entropy);
    let given_for = basis::of_draft(app, &mut tx, organization_id, &request.draft).await?;
    let allowed = (admin.user_id().clone(), given_for);
    let (request, grant) = request.grant(grant_id, allowed, now).map_err(refused)?;
    if !tx.grant_request_decide(&request).await? {
        return Err(Error::Conflict("it was decided meanwhile".to_owned()));
    }
    tx.grant_insert(&grant).await?;
    audit::done(&mut tx, app, admin, "grant_request_grant", Some(id.uuid())).await?;
    audit::done(&mut tx, app, admin, "grant_create", Some(grant_id.uuid())).await?;
    let used = GrantUse {
        grant,
        last_used_at: None,
    };
    let entry = ledger::entry(app, &mut tx, organization_id, used).await?;
    tx.commit().await?;
    tell(app, &request);
    news::tell(app, organization_id, News::Grant(grant_id));
    Ok((request, entry))
}

/// Refuses a wish.
pub async fn refuse_wish(
    app: &App,
    admin: &Admin,
    id: GrantRequestId,
    reason: Option<&str>,
) -> Result<GrantRequest> {
    let now = app.now();
    let mut tx = app.db.write().await?;
    let request = tx.grant_request_fetch(admin.organization_id(), id).await?;
    let mut request = request.ok_or(Error::NotFound("grant request"))?;
    let user = admin.user_id().clone();
    request.state = request.state.refuse(user, reason, now).map_err(refused)?;
    if !tx.grant_request_decide(&request).await? {
        return Err(Error::Conflict("it was decided meanwhile".to_owned()));
    }
    audit::done(&mut tx, app, admin, "grant_request_refuse", Some(id.uuid())).await?;
    tx.commit().await?;
    tell(app, &request);
    Ok(request)
}

/// Open pages show how many wishes wait.
fn tell(app: &App, request: &GrantRequest) {
    let news = News::GrantRequest {
        id: request.id,
        session_id: request.session_id,
        status: request.state.status(),
    };
    news::tell(app, &request.organization_id, news);
}

fn refused(error: NotDecided) -> Error {
    match error {
        NotDecided::Expired { .. } => Error::Gone(error.to_string()),
        NotDecided::Conflict { .. } => Error::Conflict(error.to_string()),
        NotDecided::Invalid(invalid) => invalid.into(),
    }
}
