//! Grant requests of agents, and the decisions of admins.

use app::{
    access::{Admin, Insider},
    grants,
};
use axum::{extract::State, http::StatusCode};
use domain::id::GrantRequestId;
use wire::{
    grant::{GrantRequestQuery, GrantRequestView, GrantView, RefuseGrantRequest},
    page::Page,
};

use super::grant_view;
use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::{DecideProblems, ReadProblems, SettleProblems},
    routes::Answer,
    state::Gateway,
};

/// Grant requests, newest first.
#[utoipa::path(get, path = "/v1/grant-requests", operation_id = "grant_request_list", tag = "grants",
    params(GrantRequestQuery),
    responses((status = 200, description = "A page of grant requests", body = Page<GrantRequestView>),
        ReadProblems))]
pub(crate) async fn list_requests(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Query(query): Query<GrantRequestQuery>,
) -> Answer<Json<Page<GrantRequestView>>> {
    let (status, page) = (query.status.map(Into::into), query.page_request()?);
    let page = grants::list_requests(&gateway.app, &insider, status, page).await?;
    Ok(Json(Page::from_domain(page)))
}

/// Grant a request: the response is the grant. For admins and owners.
#[utoipa::path(post, path = "/v1/grant-requests/{id}/grant", operation_id = "grant_request_grant",
    tag = "grants",
    params(("id" = uuid::Uuid, Path, description = "The grant request")),
    responses((status = 201, description = "The grant", body = GrantView), SettleProblems))]
pub(crate) async fn grant_request(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<GrantRequestId>,
) -> Answer<(StatusCode, Json<GrantView>)> {
    let (_, made) = grants::grant_request(&gateway.app, &admin, id).await?;
    Ok((StatusCode::CREATED, Json(grant_view(&made))))
}

/// Refuse a grant request. For admins and owners.
#[utoipa::path(post, path = "/v1/grant-requests/{id}/refuse", operation_id = "grant_request_refuse",
    tag = "grants",
    params(("id" = uuid::Uuid, Path, description = "The grant request")),
    request_body = RefuseGrantRequest,
    responses((status = 200, description = "The grant request as it is now", body = GrantRequestView),
        DecideProblems))]
pub(crate) async fn refuse_request(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<GrantRequestId>,
    Json(request): Json<RefuseGrantRequest>,
) -> Answer<Json<GrantRequestView>> {
    let reason = request.reason.as_deref();
    let refused = grants::refuse_request(&gateway.app, &admin, id, reason).await?;
    Ok(Json(refused.into()))
}
