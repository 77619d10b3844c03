//! Testing a connector.

use app::{access::Admin, connectors};
use axum::extract::State;
use wire::connector::{ValidateConnectorRequest, ValidateConnectorResponse};

use super::shape;
use crate::{
    extract::{Auth, Json},
    openapi::WriteProblems,
    routes::Answer,
    state::Gateway,
};

/// Test a connector, saved or not: its tools with their risks, or what failed. For admins.
#[utoipa::path(post, path = "/v1/connectors/validate", operation_id = "connector_validate",
    tag = "connectors", request_body = ValidateConnectorRequest,
    responses(
        (status = 200, description = "The tools, or what failed", body = ValidateConnectorResponse),
        WriteProblems))]
pub(crate) async fn validate(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Json(request): Json<ValidateConnectorRequest>,
) -> Answer<Json<ValidateConnectorResponse>> {
    let connector = shape::connector(request.connector);
    let found = connectors::validate(&gateway.app, &admin, &connector).await?;
    Ok(Json(shape::listing(found)))
}
