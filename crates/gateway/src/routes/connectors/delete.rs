//! Removing a connector.

use app::{access::Admin, connectors};
use axum::{extract::State, http::StatusCode};
use domain::id::ConnectorId;

use crate::{
    extract::{Auth, PathId},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// Remove a connector. For admins.
#[utoipa::path(delete, path = "/v1/connectors/{id}", operation_id = "connector_delete", tag = "connectors",
    params(("id" = uuid::Uuid, Path, description = "The connector")),
    responses((status = 204, description = "It is gone"), ReadProblems))]
pub(crate) async fn delete(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<ConnectorId>,
) -> Answer<StatusCode> {
    connectors::delete(&gateway.app, &admin, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
