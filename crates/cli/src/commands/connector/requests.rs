//! Requests about a connector, and the connector without what the gateway knows about it.

use domain::id::ConnectorId;
use wire::connector::{ConnectorConfig, ConnectorView, ValidateConnectorResponse};

use crate::{client::Client, failure::Failure};

pub(super) async fn fetch(client: &Client, id: ConnectorId) -> Result<ConnectorView, Failure> {
    client.get(&format!("/v1/connectors/{id}"), &()).await
}

/// What the server offers, as the gateway last learned it.
pub(super) async fn fetch_tools(
    client: &Client,
    id: ConnectorId,
) -> Result<ValidateConnectorResponse, Failure> {
    client.get(&format!("/v1/connectors/{id}/tools"), &()).await
}

/// What an admin set.
pub(super) fn config_of(view: ConnectorView) -> ConnectorConfig {
    ConnectorConfig {
        id: view.id,
        name: view.name,
        transport: view.transport,
        url: view.url,
        auth: view.auth,
        risk_policy: Some(view.risk_policy),
        enabled: view.enabled,
        trusted: view.trusted,
    }
}
