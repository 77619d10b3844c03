//! The invocations of a session.

use app::actions::{self, InvocationFilter};
use axum::extract::State;
use domain::{
    caller::Caller,
    id::{InvocationId, SessionId},
};
use wire::action::{InvocationList, InvocationListQuery, InvocationResponse};

use super::view::invocation_view;
use crate::{
    extract::{Auth, Json, PathId, PathIds, Query},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// Invocations of a session, newest first.
#[utoipa::path(get, path = "/proliferate/{id}/actions/invocations",
    operation_id = "action_invocation_list", tag = "actions",
    params(("id" = uuid::Uuid, Path, description = "The session"), InvocationListQuery),
    responses((status = 200, description = "Some of them", body = InvocationList), ReadProblems))]
pub(crate) async fn invocations(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathId(session): PathId<SessionId>,
    Query(query): Query<InvocationListQuery>,
) -> Answer<Json<InvocationList>> {
    let found = actions::list(&gateway.app, &caller, session, slice(&query)?).await?;
    Ok(Json(InvocationList {
        invocations: found.into_iter().map(invocation_view).collect(),
    }))
}

/// The status of an invocation.
#[utoipa::path(get, path = "/proliferate/{id}/actions/invocations/{invocation}",
    operation_id = "action_invocation_show", tag = "actions",
    params(("id" = uuid::Uuid, Path, description = "The session"),
        ("invocation" = uuid::Uuid, Path, description = "The invocation")),
    responses((status = 200, description = "The invocation", body = InvocationResponse), ReadProblems))]
pub(crate) async fn invocation(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathIds(session, id): PathIds<SessionId, InvocationId>,
) -> Answer<Json<InvocationResponse>> {
    let record = actions::fetch(&gateway.app, &caller, Some(session), id).await?;
    Ok(Json(InvocationResponse {
        invocation: invocation_view(record),
    }))
}

pub(super) fn slice(query: &InvocationListQuery) -> Result<InvocationFilter, domain::Invalid> {
    let (limit, offset) = query.slice()?;
    Ok(InvocationFilter {
        status: query.status.map(Into::into),
        limit,
        offset,
    })
}
