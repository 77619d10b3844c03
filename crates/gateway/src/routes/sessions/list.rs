//! Listing sessions.

use app::{
    access::Insider,
    sessions::{self, ListedSession},
};
use axum::extract::State;
use domain::id::InstanceId;
use store::SessionFilter;
use wire::{
    page::Page,
    session::{ListSessionsQuery, SessionSummary},
};

use crate::{
    extract::{Auth, Json, Query},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// The organization's sessions, newest first, with the cost of each, the number of things that wait for a
/// user, and the instance that serves it.
#[utoipa::path(get, path = "/v1/sessions", operation_id = "session_list", tag = "sessions",
    params(ListSessionsQuery),
    responses((status = 200, description = "A page of sessions", body = Page<SessionSummary>), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Query(query): Query<ListSessionsQuery>,
) -> Answer<Json<Page<SessionSummary>>> {
    let filter = SessionFilter {
        status: query.status.map(Into::into),
        session_type: query.session_type.map(Into::into),
        client_type: query.client_type.map(Into::into),
        configuration_id: query.configuration_id()?,
        created_by: query.created_by()?,
        search: query.search()?,
    };
    let page = sessions::list(&gateway.app, &insider, &filter, query.page_request()?).await?;
    let summary = |listed: ListedSession| SessionSummary {
        session: listed.session.into(),
        needs_you: listed.needs_you,
        cost_micro_usd: listed.cost_micro_usd,
        owner_instance_id: listed.owner.map(InstanceId::uuid),
    };
    Ok(Json(Page {
        items: page.items.into_iter().map(summary).collect(),
        next_cursor: page.next.map(|id| id.to_string()),
    }))
}
