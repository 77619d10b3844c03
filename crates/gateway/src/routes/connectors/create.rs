//! Adding a connector.

use app::{
    access::Admin,
    connectors::{self, Connector, NewConnector},
};
use axum::{extract::State, http::StatusCode};
use domain::id::{ConfigurationId, ConnectorId};
use uuid::Uuid;
use wire::connector::{ConnectorView, CreateConnectorRequest};

use super::shape;
use crate::{
    extract::{Auth, Json},
    openapi::WriteProblems,
    routes::Answer,
    state::Gateway,
};

/// Add a connector for the organization or for one configuration. For admins.
#[utoipa::path(post, path = "/v1/connectors", operation_id = "connector_create", tag = "connectors",
    request_body = CreateConnectorRequest,
    responses(
        (status = 201, description = "The connector", body = ConnectorView),
        (status = 200, description = "It was added before, with this id", body = ConnectorView),
        WriteProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Json(request): Json<CreateConnectorRequest>,
) -> Answer<(StatusCode, Json<ConnectorView>)> {
    let new = NewConnector {
        id: request.id.map(ConnectorId::from_uuid),
        configuration_id: request.configuration_id.map(ConfigurationId::from_uuid),
        connector: Connector {
            id: ConnectorId::from_uuid(Uuid::nil()),
            name: request.name,
            url: request.url,
            transport: shape::transport(request.transport),
            auth: shape::auth(request.auth),
            risk_policy: shape::policy(request.risk_policy.unwrap_or_default()),
            trusted: request.trusted,
            enabled: request.enabled,
        },
    };
    let created = connectors::create(&gateway.app, &admin, new).await?;
    let status = if created.already_existed {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    };
    Ok((status, Json(shape::view(created.saved))))
}
