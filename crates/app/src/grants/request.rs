//! Grant requests: an agent requests a grant, an admin grants or refuses the request.

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
    access::{Admin, AuditedActor as _, Inside as _, Insider, Participant},
    actions, audit,
    context::App,
    error::{Error, Result},
    news,
};

/// Stores an agent's request for a grant. Grants nothing.
pub async fn request_grant(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    draft: GrantDraft,
) -> Result<GrantRequest> {
    actions::check_session_access(app, caller, session_id).await?;
    let who = Participant::of(caller)?;
    let (organization_id, now) = (who.organization_id(), app.now());
    let id = GrantRequestId::generate(now, &*app.entropy);
    let request = GrantRequest::new(id, organization_id.clone(), session_id, draft, now)?;
    let mut tx = app.db.write().await?;
    let waiting = store::grant_request_pending_count(&mut tx, organization_id, session_id, now);
    if waiting.await? >= i64::from(GRANT_REQUESTS_PENDING_PER_SESSION_MAX) {
        return Err(Error::RateLimited {
            message: "too many grant requests of this session wait for an admin",
            retry_after: domain::limits::ACTION_PENDING_RETRY_AFTER,
        });
    }
    store::grant_request_insert(&mut tx, &request).await?;
    audit::record_operation(&mut tx, app, &who, "grant_request_create", Some(id.uuid())).await?;
    tx.commit().await?;
    publish_news(app, &request);
    Ok(request)
}

/// Lists the requests of agents in sessions that the caller sees, newest first.
pub async fn list_requests(
    app: &App,
    insider: &Insider,
    status: Option<GrantRequestStatus>,
    page: PageRequest<GrantRequestId>,
) -> Result<Page<GrantRequest, GrantRequestId>> {
    let mut conn = app.db.read().await?;
    let organization_id = insider.organization_id();
    let viewer = insider.viewer();
    let mut page =
        store::grant_request_page(&mut conn, organization_id, viewer, status, page).await?;
    for request in &mut page.items {
        request.state = request.state.clone().seen_at(app.now());
    }
    Ok(page)
}

/// Grants a request: the request is decided and the grant exists, or neither.
pub async fn grant_request(
    app: &App,
    admin: &Admin,
    id: GrantRequestId,
) -> Result<(GrantRequest, LedgerEntry)> {
    let now = app.now();
    let organization_id = admin.organization_id();
    let wanted = {
        let mut conn = app.db.read().await?;
        store::grant_request_fetch(&mut conn, organization_id, id).await?
    };
    let wanted = wanted.ok_or(Error::NotFound("grant request"))?;
    basis::pin_unseen_tools(app, organization_id, &wanted.draft).await?;
    let mut tx = app.db.write().await?;
    let request = store::grant_request_fetch(&mut tx, organization_id, id).await?;
    let request = request.ok_or(Error::NotFound("grant request"))?;
    let grant_id = GrantId::generate(now, &*app.entropy);
    let given_for = basis::of_draft(app, &mut tx, organization_id, &request.draft).await?;
    let allowed = (admin.user_id().clone(), given_for);
    let (request, grant) = request.grant(grant_id, allowed, now).map_err(refused)?;
    if !store::grant_request_decide(&mut tx, &request).await? {
        return Err(Error::Conflict("it was decided meanwhile".to_owned()));
    }
    store::grant_insert(&mut tx, &grant).await?;
    audit::record_operation(&mut tx, app, admin, "grant_request_grant", Some(id.uuid())).await?;
    audit::record_operation(&mut tx, app, admin, "grant_create", Some(grant_id.uuid())).await?;
    let used = GrantUse {
        grant,
        last_used_at: None,
    };
    let entry = ledger::entry(app, &mut tx, organization_id, used).await?;
    tx.commit().await?;
    publish_news(app, &request);
    news::publish_soon(app, organization_id, News::Grant(grant_id));
    Ok((request, entry))
}

/// Refuses a request.
pub async fn refuse_request(
    app: &App,
    admin: &Admin,
    id: GrantRequestId,
    reason: Option<&str>,
) -> Result<GrantRequest> {
    let now = app.now();
    let mut tx = app.db.write().await?;
    let request = store::grant_request_fetch(&mut tx, admin.organization_id(), id).await?;
    let mut request = request.ok_or(Error::NotFound("grant request"))?;
    let user = admin.user_id().clone();
    request.state = request.state.refuse(user, reason, now).map_err(refused)?;
    if !store::grant_request_decide(&mut tx, &request).await? {
        return Err(Error::Conflict("it was decided meanwhile".to_owned()));
    }
    audit::record_operation(&mut tx, app, admin, "grant_request_refuse", Some(id.uuid())).await?;
    tx.commit().await?;
    publish_news(app, &request);
    Ok(request)
}

/// Open pages show how many requests are pending.
fn publish_news(app: &App, request: &GrantRequest) {
    let news = News::GrantRequest {
        id: request.id,
        session_id: request.session_id,
        status: request.state.status(),
    };
    news::publish_soon(app, &request.organization_id, news);
}

fn refused(error: NotDecided) -> Error {
    match error {
        NotDecided::Expired { .. } => Error::Gone(error.to_string()),
        NotDecided::Conflict { .. } => Error::Conflict(error.to_string()),
        NotDecided::Invalid(invalid) => invalid.into(),
    }
}
