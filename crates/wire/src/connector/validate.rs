//! Testing a connector before it is saved.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{ConnectorConfig, ConnectorToolView};

/// Tests a connector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ValidateConnectorRequest {
    pub connector: ConnectorConfig,
}

/// How recent the list of a connector's tools must be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ToolsQuery {
    /// Asks the server now instead of using a list of the last five minutes.
    #[serde(default)]
    #[param(required = false)]
    pub fresh: bool,
}

/// The server's tools, or what failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ValidateConnectorResponse {
    pub ok: bool,
    pub tools: Vec<ConnectorToolView>,
    /// Tools of the server that cannot be used, and why.
    #[serde(default)]
    pub notes: Vec<String>,
    pub error: Option<String>,
    pub diagnostics: Option<ConnectorDiagnostics>,
}

/// The class of the failure.
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
    /// It does not accept the gateway's credentials, or the secret is missing.
    Auth,
    Timeout,
    /// It does not respond, or its address is not allowed.
    Unreachable,
    /// Its response violates MCP.
    Protocol,
    Unknown,
}
