//! Trying a connector out before it is saved.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{ConnectorConfig, ConnectorToolView};

/// Tries a connector out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ValidateConnectorRequest {
    pub connector: ConnectorConfig,
}

/// How new the list of a connector's tools must be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ToolsQuery {
    /// Asks the server now, whatever was heard in the last five minutes.
    #[serde(default)]
    #[param(required = false)]
    pub fresh: bool,
}

/// What the server offers, or what is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ValidateConnectorResponse {
    pub ok: bool,
    pub tools: Vec<ConnectorToolView>,
    /// What the server offers and cannot be used, and why.
    #[serde(default)]
    pub notes: Vec<String>,
    pub error: Option<String>,
    pub diagnostics: Option<ConnectorDiagnostics>,
}

/// What kind of thing is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorDiagnostics {
    pub class: DiagnosticClass,
    pub message: String,
}

/// The kinds of failure of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DiagnosticClass {
    /// It does not accept our credentials, or the secret is missing.
    Auth,
    Timeout,
    /// Nobody answers, or the address may not be asked.
    Unreachable,
    /// It answers, and not as MCP says.
    Protocol,
    Unknown,
}
