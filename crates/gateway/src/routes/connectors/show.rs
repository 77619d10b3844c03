//! One connector.

use app::{access::Insider, connectors};
use axum::extract::State;
use domain::id::ConnectorId;
use wire::connector::ConnectorView;

use super::shape::view;
use crate::{
    extract::{Auth, Json, PathId},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// A connector, of the organization or of one of its configurations.
#[utoipa::path(get, path = "/v1/connectors/{id}", operation_id = "connector_show", tag = "connectors",
    params(("id" = uuid::Uuid, Path, description = "The connector")),
    responses((status = 200, description = "The connector", body = ConnectorView), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<ConnectorId>,
) -> Answer<Json<ConnectorView>> {
    let found = connectors::fetch(&gateway.app, &insider, id).await?;
    Ok(Json(view(found)))
}
