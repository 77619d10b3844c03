//! Prepares a connection for the call of one tool.

use rmcp::model::ProtocolVersion;
use serde_json::Value;

use super::{connection::McpConnection, list::list};
use crate::{failure::Failure, mcp::catalog::Tool};

/// Lists the tools once on this connection where the call needs it. In the stateless protocol a schema may ask for
/// arguments to be repeated in headers; the library does so for tools that it has seen listed on this connection.
pub(crate) async fn prepare(connection: &McpConnection, tool: &Tool) -> Result<(), Failure> {
    let is_stateless = connection.protocol_version() == ProtocolVersion::V_2026_07_28.as_str();
    if is_stateless && tool.input_schema.values().any(asks_for_headers) {
        let listed = async || Box::pin(list(connection)).await.map(drop);
        connection.listed.get_or_try_init(listed).await?;
    }
    Ok(())
}

fn asks_for_headers(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => {
            members.contains_key("x-mcp-header") || members.values().any(asks_for_headers)
        }
        Value::Array(items) => items.iter().any(asks_for_headers),
        _ => false,
    }
}
