//! Connectors: MCP servers. Their secrets are named, never sent.

mod preset;
#[cfg(test)]
mod tests;
mod tool;
mod validate;
mod view;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{action::RiskLevel, patch::not_null};

pub use preset::{ConnectorPreset, ConnectorPresetList};
pub use tool::{
    AcceptedTool, ChangedDefinition, ConnectorToolState, ConnectorToolView, ReviewConnectorRequest,
    RiskSource,
};
pub use validate::{
    ConnectorDiagnostics, DiagnosticClass, ToolsQuery, ValidateConnectorRequest,
    ValidateConnectorResponse,
};
pub use view::ConnectorView;

/// A connector as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({
    "id": "0192f0c1-2345-7abc-8def-0123456789ab", "name": "Docs", "transport": "remote_http",
    "url": "https://mcp.example.com/mcp", "auth": {"type": "bearer", "secretKey": "DOCS_TOKEN"},
    "enabled": true, "trusted": false,
}))]
pub struct ConnectorConfig {
    pub id: Uuid,
    #[schema(min_length = 1, max_length = 100)]
    pub name: String,
    #[serde(default)]
    pub transport: ConnectorTransport,
    #[schema(max_length = 2000)]
    pub url: String,
    #[serde(default)]
    pub auth: ConnectorAuth,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk_policy: Option<RiskPolicy>,
    pub enabled: bool,
    /// Whether the server's read-only hints are trusted.
    #[serde(default)]
    pub trusted: bool,
}

/// Adds a connector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateConnectorRequest {
    /// Generated if absent. Sending the same connector with the same id again adds no second one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// The configuration it is for; the whole organization if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configuration_id: Option<Uuid>,
    #[schema(min_length = 1, max_length = 100, example = "Docs")]
    pub name: String,
    #[serde(default)]
    pub transport: ConnectorTransport,
    #[schema(max_length = 2000, example = "https://mcp.example.com/mcp")]
    pub url: String,
    #[serde(default)]
    pub auth: ConnectorAuth,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk_policy: Option<RiskPolicy>,
    /// `true` if absent.
    #[serde(default = "yes")]
    pub enabled: bool,
    #[serde(default)]
    pub trusted: bool,
}

/// Changes a connector. A given member is replaced as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateConnectorRequest {
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, min_length = 1, max_length = 100)]
    pub name: Option<String>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, max_length = 2000)]
    pub url: Option<String>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub auth: Option<ConnectorAuth>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub risk_policy: Option<RiskPolicy>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub enabled: Option<bool>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub trusted: Option<bool>,
}

/// All connectors of a configuration: the list that is sent replaces the stored one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConnectorList {
    #[schema(max_items = 20)]
    pub connectors: Vec<ConnectorConfig>,
}

/// How a server is reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConnectorTransport {
    /// MCP over streamable HTTP.
    #[default]
    RemoteHttp,
}

/// How the gateway authenticates to a server. The secret is one of the organization's, by its key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ConnectorAuth {
    #[default]
    None,
    // On each variant: the generator of the OpenAPI document does not know `rename_all_fields`.
    #[serde(rename_all = "camelCase")]
    Bearer {
        #[schema(min_length = 1, max_length = 200, example = "DOCS_TOKEN")]
        secret_key: String,
    },
    #[serde(rename_all = "camelCase")]
    CustomHeader {
        #[schema(min_length = 1, max_length = 200)]
        secret_key: String,
        #[schema(min_length = 1, max_length = 100, example = "X-Api-Key")]
        header_name: String,
    },
}

/// The risk an admin assigns to a server's tools.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RiskPolicy {
    /// Of tools without another setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_risk: Option<RiskLevel>,
    /// By the tool's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub overrides: BTreeMap<String, RiskLevel>,
}

const fn yes() -> bool {
    true
}
