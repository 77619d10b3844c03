//! The connectors of an organization.

use app::{access::Insider, connectors};
use axum::extract::State;
use wire::{
    connector::ConnectorView,
    page::{ListQuery, Page},
};

use super::shape::view;
use crate::{
    extract::{Auth, Json, Query},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// The connectors of the whole organization, newest first.
#[utoipa::path(get, path = "/v1/connectors", operation_id = "connector_list", tag = "connectors",
    params(ListQuery),
    responses((status = 200, description = "A page of connectors", body = Page<ConnectorView>), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<Page<ConnectorView>>> {
    let page = connectors::list(&gateway.app, &insider, query.page_request()?).await?;
    Ok(Json(Page {
        items: page.items.into_iter().map(view).collect(),
        next_cursor: page.next.map(|id| id.to_string()),
    }))
}
