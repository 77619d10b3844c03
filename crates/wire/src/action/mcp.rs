//! The gateway as an MCP server: what the protocol itself has no words for.

use serde::Deserialize;
use utoipa::IntoParams;

/// How a client of the protocol wants to be served.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct McpQuery {
    /// Seconds a call may wait for a person: 50 if not given, at most 50, and 290 with progress.
    #[param(nullable = false)]
    pub wait: Option<u64>,
}
