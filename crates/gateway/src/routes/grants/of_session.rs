//! Grants as a session's agent sees them: those it can use, and its requests for more.

use app::{access::SessionAccess, grants};
use axum::{extract::State, http::StatusCode};
use domain::{caller::Caller, id::SessionId};
use wire::{
    grant::{GrantList, GrantRequestResponse, RequestGrantRequest},
    page::ListQuery,
};

use super::grant_view;
use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::{GrantRequestProblems, ReadProblems},
    routes::Answer,
    state::Gateway,
};

/// Request a grant. An admin decides; until then nothing is granted. For the agent in its sandbox.
#[utoipa::path(post, path = "/proliferate/{id}/actions/grants", operation_id = "action_grant_request",
    tag = "actions",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    request_body = RequestGrantRequest,
    responses((status = 202, description = "It waits for an admin", body = GrantRequestResponse), GrantRequestProblems))]
pub(crate) async fn create_request(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathId(session): PathId<SessionId>,
    Json(request): Json<RequestGrantRequest>,
) -> Answer<(StatusCode, Json<GrantRequestResponse>)> {
    SessionAccess::of_agent(&gateway.app, &caller, session).await?;
    let draft = request.draft(session)?;
    let noted = grants::request_grant(&gateway.app, &caller, session, draft).await?;
    let body = GrantRequestResponse {
        grant_request: noted.into(),
        message: "An admin has to decide".to_owned(),
    };
    Ok((StatusCode::ACCEPTED, Json(body)))
}

/// Grants that the session can use now, newest first.
#[utoipa::path(get, path = "/proliferate/{id}/actions/grants", operation_id = "action_grant_list",
    tag = "actions",
    params(("id" = uuid::Uuid, Path, description = "The session"), ListQuery),
    responses((status = 200, description = "Some of them", body = GrantList), ReadProblems))]
pub(crate) async fn list_of_session(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathId(session): PathId<SessionId>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<GrantList>> {
    let page = query.page_request()?;
    let page = grants::list_usable(&gateway.app, &caller, session, page).await?;
    Ok(Json(GrantList {
        grants: page.items.iter().map(grant_view).collect(),
        next_cursor: page.next.map(|id| id.to_string()),
    }))
}
