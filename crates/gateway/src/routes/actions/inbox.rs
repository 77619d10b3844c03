//! The invocations of an organization, and why each ran or waits.

use app::{
    access::Insider,
    actions::{self},
    grants,
};
use axum::extract::State;
use domain::{caller::Caller, id::InvocationId};
use wire::{
    action::{InboxEntry, InboxQuery, InboxResponse, InvocationResponse},
    grant::{ExplainResponse, GrantVerdictView},
};

use super::{invocations::slice, view::invocation_view};
use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// Invocations of all sessions, newest first.
#[utoipa::path(get, path = "/v1/actions", operation_id = "action_inbox", tag = "actions",
    params(InboxQuery),
    responses((status = 200, description = "Some of them, and how many there are", body = InboxResponse),
        ReadProblems))]
pub(crate) async fn inbox(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Query(query): Query<InboxQuery>,
) -> Answer<Json<InboxResponse>> {
    let (items, total) = actions::inbox(&gateway.app, &insider, slice(&query)?).await?;
    let entry = |item: store::InboxItem| InboxEntry {
        invocation: invocation_view(item.record),
        session_title: item.session_title,
    };
    Ok(Json(InboxResponse {
        invocations: items.into_iter().map(entry).collect(),
        total,
    }))
}

/// An invocation of any session of the organization.
#[utoipa::path(get, path = "/v1/actions/{id}", operation_id = "action_show", tag = "actions",
    params(("id" = uuid::Uuid, Path, description = "The invocation")),
    responses((status = 200, description = "The invocation", body = InvocationResponse), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathId(id): PathId<InvocationId>,
) -> Answer<Json<InvocationResponse>> {
    Insider::of(&caller)?;
    let record = actions::fetch(&gateway.app, &caller, None, id).await?;
    Ok(Json(InvocationResponse {
        invocation: invocation_view(record),
    }))
}

/// Why an invocation ran without an approval request, or the verdict of every grant on such a call.
#[utoipa::path(get, path = "/v1/actions/{id}/explain", operation_id = "action_explain", tag = "actions",
    params(("id" = uuid::Uuid, Path, description = "The invocation")),
    responses((status = 200, description = "The verdicts of the grants", body = ExplainResponse), ReadProblems))]
pub(crate) async fn explain(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathId(id): PathId<InvocationId>,
) -> Answer<Json<ExplainResponse>> {
    let insider = Insider::of(&caller)?;
    let explained = grants::explain(&gateway.app, &caller, &insider, id).await?;
    let verdicts = explained.verdicts.iter();
    let grants = verdicts.map(|(grant, verdict)| GrantVerdictView::new(grant, verdict));
    let state = &explained.record.invocation.state;
    Ok(Json(ExplainResponse {
        invocation_id: id.uuid(),
        used_grant_id: state.authorizing_grant().map(domain::id::GrantId::uuid),
        grants: grants.collect(),
        invocation: invocation_view(explained.record),
    }))
}
