//! The gateway as an MCP server: settings that the protocol itself does not define.

use serde::Deserialize;
use utoipa::IntoParams;

/// The settings of an MCP client.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct McpQuery {
    /// Seconds a call may wait for an approval: 50 if not given, at most 50, and 1500 with progress.
    #[param(nullable = false)]
    pub wait: Option<u64>,
}
