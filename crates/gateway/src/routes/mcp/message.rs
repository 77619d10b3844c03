//! One message of JSON-RPC, checked before the protocol library sees it: invalid messages, and requests for
//! unsupported methods, get errors of the protocol.

use axum::{
    body::Body,
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use domain::canonical;
use rmcp::model::{
    CallToolRequestParams, ErrorCode, InitializeRequestParams, PaginatedRequestParams,
    ProtocolVersion, RequestId,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

pub(super) const VERSION_HEADER: &str = "mcp-protocol-version";

/// Why a message is refused.
#[derive(Debug, PartialEq)]
pub(super) struct RefusedMessage {
    id: Value,
    code: ErrorCode,
    message: String,
}

impl RefusedMessage {
    /// Whether it could not be parsed. A request for an unsupported method does not count as a refused call.
    pub(super) fn is_unreadable(&self) -> bool {
        self.code != ErrorCode::METHOD_NOT_FOUND
    }
}

/// A message for the protocol library.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    Plain,
    /// The client cancels this request.
    Cancels(RequestId),
}

/// Whether the bytes are a message for the protocol library. Every notification is: it gets no response.
pub(super) fn check(bytes: &[u8]) -> Result<Message, RefusedMessage> {
    let refused = |id: &Value, code, message: &str| {
        Err(RefusedMessage {
            id: id.clone(),
            code,
            message: message.to_owned(),
        })
    };
    let no_id = Value::Null;
    let value = match canonical::parse(bytes) {
        Ok(value) => value,
        Err(error) => {
            let message = format!("the body is refused: {error}");
            return refused(&no_id, ErrorCode::PARSE_ERROR, &message);
        }
    };
    let invalid = ErrorCode::INVALID_REQUEST;
    let Value::Object(message) = &value else {
        return refused(
            &no_id,
            invalid,
            "the body must be one message; batches are not supported",
        );
    };
    let id = message.get("id");
    if id.is_some_and(|id| !id.is_string() && !id.is_i64()) {
        return refused(&no_id, invalid, "id must be a text or a whole number");
    }
    let answer_to = id.unwrap_or(&no_id);
    if message.get("jsonrpc") != Some(&json!("2.0")) {
        return refused(answer_to, invalid, "jsonrpc must be \"2.0\"");
    }
    let Some(Value::String(method)) = message.get("method") else {
        return refused(
            answer_to,
            invalid,
            "method must be a text; responses are not accepted here",
        );
    };
    let params = message.get("params").cloned();
    if id.is_none() {
        return Ok(notification(method, params));
    }
    let wrong = match method.as_str() {
        // The library accepts an object alone.
        "ping" | "server/discover" => params.and_then(describe_mismatch::<Map<String, Value>>),
        "initialize" => {
            describe_mismatch::<InitializeRequestParams>(params.unwrap_or_else(|| json!({})))
        }
        "tools/call" => {
            describe_mismatch::<CallToolRequestParams>(params.unwrap_or_else(|| json!({})))
        }
        "tools/list" => params.and_then(describe_mismatch::<PaginatedRequestParams>),
        _ => {
            let message = format!("there is no method {}", truncate(method));
            return refused(answer_to, ErrorCode::METHOD_NOT_FOUND, &message);
        }
    };
    match wrong {
        None => Ok(Message::Plain),
        Some(message) => refused(answer_to, ErrorCode::INVALID_PARAMS, &message),
    }
}

fn notification(method: &str, params: Option<Value>) -> Message {
    let params = params.filter(|_| method == "notifications/cancelled");
    let request_id = params.and_then(|mut params| params.get_mut("requestId").map(Value::take));
    let request_id = request_id.and_then(|id| serde_json::from_value(id).ok());
    request_id.map_or(Message::Plain, Message::Cancels)
}

/// What is wrong with the parameters, with the name of the field.
fn describe_mismatch<T: DeserializeOwned>(params: Value) -> Option<String> {
    let error = serde_path_to_error::deserialize::<_, T>(params).err()?;
    let path = error.path().to_string();
    let place = if path == "." {
        String::new()
    } else {
        format!(".{path}")
    };
    Some(format!(
        "params{place}: {}",
        truncate(&error.inner().to_string())
    ))
}

fn truncate(text: &str) -> String {
    text.chars().take(200).collect()
}

impl RefusedMessage {
    pub(super) fn into_response(self, headers: &HeaderMap) -> Response {
        let status = match self.code {
            ErrorCode::PARSE_ERROR | ErrorCode::INVALID_REQUEST => StatusCode::BAD_REQUEST,
            ErrorCode::METHOD_NOT_FOUND if is_stateless(headers) => StatusCode::NOT_FOUND,
            _ => StatusCode::OK,
        };
        let body = json!({
            "jsonrpc": "2.0",
            "id": self.id,
            "error": {"code": self.code.0, "message": self.message},
        });
        let mut response = Response::new(Body::from(body.to_string()));
        *response.status_mut() = status;
        let json = axum::http::HeaderValue::from_static("application/json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        response
    }
}

/// From this version on an unknown method has a status of its own.
fn is_stateless(headers: &HeaderMap) -> bool {
    let version = headers.get(VERSION_HEADER);
    let version = version.and_then(|version| version.to_str().ok());
    version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28.as_str())
}

#[cfg(test)]
mod tests {
    use rmcp::model::RequestId;

    use super::{Message, check};

    #[test]
    fn what_is_no_message_is_named() {
        for (body, code, says) in [
            ("", -32700, "the body is refused"),
            ("{", -32700, "the body is refused"),
            (
                r#"{"jsonrpc":"2.0","jsonrpc":"2.0"}"#,
                -32700,
                "the body is refused",
            ),
            ("[]", -32600, "batches"),
            ("7", -32600, "one message"),
            ("{}", -32600, "jsonrpc"),
            (
                r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
                -32600,
                "jsonrpc",
            ),
            (
                r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
                -32600,
                "id must",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
                -32600,
                "id must",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
                -32600,
                "method must",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
                -32600,
                "method must",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"x/y"}"#,
                -32601,
                "no method x/y",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#,
                -32601,
                "resources/list",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
                -32602,
                "name",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#,
                -32602,
                "params.name",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":[]}}"#,
                -32602,
                "params.arguments",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":7}}"#,
                -32602,
                "params.cursor",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#,
                -32602,
                "params",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#,
                -32602,
                "params",
            ),
        ] {
            let refused = check(body.as_bytes()).expect_err(body);
            assert_eq!(refused.code.0, code, "{body}");
            assert!(
                refused.message.contains(says),
                "{body}: {}",
                refused.message
            );
        }
    }

    #[test]
    fn messages_are_handed_on() {
        for body in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/of_another_kind","params":{"x":1}}"#,
        ] {
            assert_eq!(check(body.as_bytes()), Ok(Message::Plain), "{body}");
        }
        let body =
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#;
        let cancels = Message::Cancels(RequestId::Number(7));
        assert_eq!(check(body.as_bytes()), Ok(cancels));
    }
}
