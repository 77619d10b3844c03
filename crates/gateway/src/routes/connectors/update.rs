//! Changing a connector.

use app::{
    access::Admin,
    connectors::{self, Connector},
};
use axum::extract::State;
use domain::id::ConnectorId;
use wire::connector::{ConnectorView, UpdateConnectorRequest};

use super::shape;
use crate::{
    extract::{Auth, Json, PathId},
    openapi::WriteProblems,
    routes::Answer,
    state::Gateway,
};

/// Change a connector; a given member is replaced as a whole. For admins.
#[utoipa::path(patch, path = "/v1/connectors/{id}", operation_id = "connector_update", tag = "connectors",
    params(("id" = uuid::Uuid, Path, description = "The connector")),
    request_body = UpdateConnectorRequest,
    responses((status = 200, description = "The connector as it is now", body = ConnectorView), WriteProblems))]
pub(crate) async fn update(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<ConnectorId>,
    Json(request): Json<UpdateConnectorRequest>,
) -> Answer<Json<ConnectorView>> {
    let change = |connector: Connector| Connector {
        name: request.name.unwrap_or(connector.name),
        url: request.url.unwrap_or(connector.url),
        auth: request.auth.map_or(connector.auth, shape::auth),
        risk_policy: request
            .risk_policy
            .map_or(connector.risk_policy, shape::policy),
        enabled: request.enabled.unwrap_or(connector.enabled),
        trusted: request.trusted.unwrap_or(connector.trusted),
        ..connector
    };
    let changed = connectors::update(&gateway.app, &admin, id, change).await?;
    Ok(Json(shape::view(changed)))
}
