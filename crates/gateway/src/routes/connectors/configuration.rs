//! The connectors of a configuration, as one list.

use app::{
    access::{Admin, Insider},
    connectors::{self, SavedConnector},
};
use axum::extract::State;
use domain::id::ConfigurationId;
use wire::connector::{ConnectorList, ValidateConnectorRequest, ValidateConnectorResponse};

use super::shape;
use crate::{
    extract::{Auth, Json, PathId},
    openapi::{ReadProblems, WriteProblems},
    routes::Answer,
    state::Gateway,
};

/// The connectors of a configuration; its sessions have the organization's as well.
#[utoipa::path(get, path = "/v1/configurations/{id}/connectors",
    operation_id = "configuration_connectors_show", tag = "connectors",
    params(("id" = uuid::Uuid, Path, description = "The configuration")),
    responses((status = 200, description = "All of them, by id", body = ConnectorList), ReadProblems))]
pub(crate) async fn configuration_show(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<ConfigurationId>,
) -> Answer<Json<ConnectorList>> {
    let found = connectors::list_of_configuration(&gateway.app, &insider, id).await?;
    Ok(Json(all(found)))
}

/// Replace the connectors of a configuration by this list. For admins.
#[utoipa::path(put, path = "/v1/configurations/{id}/connectors",
    operation_id = "configuration_connectors_replace", tag = "connectors",
    params(("id" = uuid::Uuid, Path, description = "The configuration")),
    request_body = ConnectorList,
    responses((status = 200, description = "All of them, by id", body = ConnectorList), WriteProblems))]
pub(crate) async fn configuration_replace(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<ConfigurationId>,
    Json(request): Json<ConnectorList>,
) -> Answer<Json<ConnectorList>> {
    let wanted = request.connectors.into_iter().map(shape::connector);
    let now = connectors::replace(&gateway.app, &admin, id, wanted.collect()).await?;
    Ok(Json(all(now)))
}

/// Test a connector for a configuration, saved or not. For admins.
#[utoipa::path(post, path = "/v1/configurations/{id}/connectors/validate",
    operation_id = "configuration_connectors_validate", tag = "connectors",
    params(("id" = uuid::Uuid, Path, description = "The configuration")),
    request_body = ValidateConnectorRequest,
    responses(
        (status = 200, description = "The tools, or what failed", body = ValidateConnectorResponse),
        WriteProblems))]
pub(crate) async fn configuration_validate(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<ConfigurationId>,
    Json(request): Json<ValidateConnectorRequest>,
) -> Answer<Json<ValidateConnectorResponse>> {
    let connector = shape::connector(request.connector);
    let found =
        connectors::validate_for_configuration(&gateway.app, &admin, id, &connector).await?;
    Ok(Json(shape::listing(found)))
}

fn all(found: Vec<SavedConnector>) -> ConnectorList {
    let config = |saved: SavedConnector| shape::config(saved.connector);
    ConnectorList {
        connectors: found.into_iter().map(config).collect(),
    }
}
