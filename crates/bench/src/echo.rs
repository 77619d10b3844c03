//! An MCP server that does nothing but echo, as fast as a server can be that reads its requests.

use std::net::SocketAddr;

use axum::{Router, body::Bytes, http::StatusCode, response::IntoResponse, routing::post};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// Its address.
pub(crate) async fn start() -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let router = Router::new().route("/mcp", post(answer));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

/// The request of one call, as a client sends it.
pub(crate) fn call(text: &str) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "echo", "arguments": {"message": text}}})
    .to_string()
}

async fn answer(body: Bytes) -> axum::response::Response {
    let Ok(request) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let result = match request["method"].as_str() {
        Some("initialize") => json!({
            "protocolVersion": request["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "echo", "version": "1"},
        }),
        Some("tools/list") => json!({"tools": [{
            "name": "echo",
            "description": "Says the same.",
            "inputSchema": {"type": "object", "required": ["message"],
                "properties": {"message": {"type": "string"}}},
        }]}),
        Some("tools/call") => {
            let message = &request["params"]["arguments"]["message"];
            json!({"content": [{"type": "text", "text": message}]})
        }
        Some(_) if !request["id"].is_null() => {
            let error = json!({"code": -32601, "message": "there is no such method"});
            let body = json!({"jsonrpc": "2.0", "id": request["id"], "error": error});
            return axum::Json(body).into_response();
        }
        _ => return StatusCode::ACCEPTED.into_response(),
    };
    axum::Json(json!({"jsonrpc": "2.0", "id": request["id"], "result": result})).into_response()
}
