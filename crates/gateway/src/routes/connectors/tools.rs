//! The tools of a connector.

use app::{access::Insider, connectors};
use axum::extract::State;
use domain::id::ConnectorId;
use wire::connector::{ToolsQuery, ValidateConnectorResponse};

use super::shape::listing;
use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// The tools of a connector's server, at most five minutes old or freshly listed: the risk of each and why, and which
/// definitions have changed since they were accepted. New tools are pinned.
#[utoipa::path(get, path = "/v1/connectors/{id}/tools", operation_id = "connector_tools",
    tag = "connectors", params(ToolsQuery, ("id" = uuid::Uuid, Path, description = "The connector")),
    responses(
        (status = 200, description = "The tools, or what failed", body = ValidateConnectorResponse),
        ReadProblems))]
pub(crate) async fn tools(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<ConnectorId>,
    Query(query): Query<ToolsQuery>,
) -> Answer<Json<ValidateConnectorResponse>> {
    let found = connectors::tools(&gateway.app, &insider, id, query.fresh).await?;
    Ok(Json(listing(found)))
}
