//! The ledger of grants.

use app::{access::Insider, grants};
use axum::extract::State;
use domain::id::GrantId;
use wire::{
    action::InvocationView,
    grant::GrantView,
    page::{ListQuery, Page},
};

use super::grant_view;
use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::ReadProblems,
    routes::{Answer, actions::invocation_view},
    state::Gateway,
};

/// Grants of the organization, newest first: who created them, how often they were used, and when
/// last.
#[utoipa::path(get, path = "/v1/grants", operation_id = "grant_list", tag = "grants",
    params(ListQuery),
    responses((status = 200, description = "A page of grants", body = Page<GrantView>), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<Page<GrantView>>> {
    let page = grants::list(&gateway.app, &insider, query.page_request()?).await?;
    Ok(Json(Page {
        items: page.items.iter().map(grant_view).collect(),
        next_cursor: page.next.map(|id| id.to_string()),
    }))
}

/// A grant.
#[utoipa::path(get, path = "/v1/grants/{id}", operation_id = "grant_show", tag = "grants",
    params(("id" = uuid::Uuid, Path, description = "The grant")),
    responses((status = 200, description = "The grant", body = GrantView), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<GrantId>,
) -> Answer<Json<GrantView>> {
    let found = grants::fetch(&gateway.app, &insider, id).await?;
    Ok(Json(grant_view(&found)))
}

/// The calls that ran under a grant, newest first.
#[utoipa::path(get, path = "/v1/grants/{id}/calls", operation_id = "grant_list_calls", tag = "grants",
    params(("id" = uuid::Uuid, Path, description = "The grant"), ListQuery),
    responses((status = 200, description = "A page of invocations", body = Page<InvocationView>),
        ReadProblems))]
pub(crate) async fn calls(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<GrantId>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<Page<InvocationView>>> {
    let page = grants::calls(&gateway.app, &insider, id, query.page_request()?).await?;
    Ok(Json(Page {
        items: page.items.into_iter().map(invocation_view).collect(),
        next_cursor: page.next.map(|id| id.to_string()),
    }))
}
