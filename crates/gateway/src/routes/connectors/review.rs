//! Accepting definitions of tools.

use app::{
    access::Admin,
    connectors::{self, AcceptedDefinition},
};
use axum::extract::State;
use domain::id::ConnectorId;
use wire::connector::{AcceptedTool, ReviewConnectorRequest, ValidateConnectorResponse};

use super::shape::listing;
use crate::{
    extract::{Auth, Json, PathId},
    openapi::WriteProblems,
    routes::Answer,
    state::Gateway,
};

/// Accept definitions of a connector's tools, each as it was reviewed. For admins.
#[utoipa::path(post, path = "/v1/connectors/{id}/review", operation_id = "connector_review",
    tag = "connectors", params(("id" = uuid::Uuid, Path, description = "The connector")),
    request_body = ReviewConnectorRequest,
    responses(
        (status = 200, description = "The tools as they are now; with an error, nothing was accepted",
            body = ValidateConnectorResponse),
        WriteProblems))]
pub(crate) async fn review(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<ConnectorId>,
    Json(request): Json<ReviewConnectorRequest>,
) -> Answer<Json<ValidateConnectorResponse>> {
    let accepted = |AcceptedTool { name, sha256 }| AcceptedDefinition {
        action: name,
        sha256,
    };
    let accepted = request.tools.into_iter().map(accepted).collect();
    let now = connectors::review(&gateway.app, &admin, id, accepted).await?;
    Ok(Json(listing(now)))
}
