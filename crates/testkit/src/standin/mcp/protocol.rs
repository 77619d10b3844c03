//! The messages of the stand-in: sessions, pages, calls, and the faults in between.

use std::{io, panic, sync::Arc};

use axum::{
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use futures::stream;
use serde_json::{Value, json};

use super::{Knobs, McpFault, RecordedMessage, Replies, Shared, Speaks, lock};

const SESSION: &str = "mcp-session-id";
const STATELESS: &str = "2026-07-28";
/// An event without data that can be resumed from; the client is to reconnect at once.
const NOTHING_YET: &str = "id: 1\nretry: 0\ndata:\n\n";
/// Marks a response that is never sent.
const NEVER: &str = "never";
const WITH_SESSIONS: &str = "2025-11-25";

pub(super) async fn post(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let message: Value = serde_json::from_slice(&body).unwrap_or_default();
    let method = message["method"].as_str().unwrap_or_default().to_owned();
    shared.record("POST", &method, &headers, &body);
    let (fault, knobs) = shared.next_fault(&method);
    match fault {
        Some(McpFault::CutBefore) => cut(),
        Some(McpFault::Hangs) => {
            shared.hanging.add_permits(1);
            let released = shared.released.acquire().await;
            released.expect("never closed").forget();
        }
        Some(McpFault::SessionGone) => lock(&shared.sessions).1.clear(),
        Some(fault) => {
            if has_effect(&fault) {
                shared.effect(&message);
            }
            if fault == McpFault::NeverEnds {
                *lock(&shared.pending) = Some(NEVER.to_owned());
            }
            return failing(&fault, &message);
        }
        None => {}
    }
    if message.get("id").is_none() {
        return StatusCode::ACCEPTED.into_response();
    }
    if let Some(refusal) = shared.refusal(knobs.speaks, &method, &headers, &message) {
        return refusal;
    }
    let result = shared.result(&knobs, &method, &message, &headers);
    let id = message["id"].clone();
    let answer = match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err((code, text)) => {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}})
        }
    };
    let is_call = method == "tools/call";
    let mut response = match knobs.replies {
        Replies::Json => as_json(&answer),
        Replies::ResumableEvents if is_call => {
            *lock(&shared.pending) = Some(answer.to_string());
            as_events(NOTHING_YET.to_owned())
        }
        Replies::Events | Replies::ResumableEvents => {
            let progress = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"working"}}"#;
            as_events(format!(
                ": hello\n\ndata: {progress}\n\nevent: message\ndata: {answer}\n\n"
            ))
        }
    };
    if method == "initialize" && knobs.speaks == Speaks::Sessions {
        let session = shared.new_session();
        let value = session.parse().expect("a header");
        response.headers_mut().insert(SESSION, value);
    }
    response
}

/// The rest of a stream that was cut.
pub(super) async fn get(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    shared.record("GET", "", &headers, b"");
    if !headers.contains_key("last-event-id") {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let pending = lock(&shared.pending).take();
    match pending {
        Some(answer) if answer == NEVER => {
            *lock(&shared.pending) = Some(answer);
            as_events(NOTHING_YET.to_owned())
        }
        Some(answer) => as_events(format!("id: 2\ndata: {answer}\n\n")),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

pub(super) async fn delete(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    shared.record("DELETE", "", &headers, b"");
    let session = headers.get(SESSION).and_then(|value| value.to_str().ok());
    let mut sessions = lock(&shared.sessions);
    sessions.1.retain(|open| Some(open.as_str()) != session);
    StatusCode::OK.into_response()
}

impl Shared {
    fn record(&self, http_method: &str, method: &str, headers: &HeaderMap, body: &[u8]) {
        lock(&self.requests).push(RecordedMessage {
            http_method: http_method.to_owned(),
            method: method.to_owned(),
            headers: headers.clone(),
            body: String::from_utf8_lossy(body).into_owned(),
        });
    }

    fn next_fault(&self, method: &str) -> (Option<McpFault>, Knobs) {
        let mut knobs = lock(&self.knobs);
        let due = |(on, _, left): &&mut (&'static str, McpFault, usize)| {
            *left > 0 && (*on == "*" || *on == method)
        };
        let fault = knobs.faults.iter_mut().find(due).map(|(_, fault, left)| {
            *left -= 1;
            fault.clone()
        });
        (fault, knobs.clone())
    }

    /// What a request is refused for before it is looked at.
    fn refusal(
        &self,
        speaks: Speaks,
        method: &str,
        headers: &HeaderMap,
        message: &Value,
    ) -> Option<Response> {
        let stated = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let bad = |text: &str| {
            let error = json!({"code": -32000, "message": text});
            let body = json!({"jsonrpc": "2.0", "id": null, "error": error});
            let mut response = as_json(&body);
            *response.status_mut() = StatusCode::BAD_REQUEST;
            Some(response)
        };
        match speaks {
            Speaks::Stateless => {
                let name = message["params"]["name"].as_str();
                let is_good = stated("mcp-protocol-version") == Some(STATELESS)
                    && stated("mcp-method") == Some(method)
                    && (method != "tools/call" || stated("mcp-name") == name);
                if is_good || method == "initialize" {
                    None
                } else {
                    bad("the headers do not match the body")
                }
            }
            Speaks::NoSessions => None,
            Speaks::Sessions if method == "initialize" => None,
            Speaks::Sessions => match stated(SESSION) {
                None => bad("Bad Request: no session"),
                Some(session) if lock(&self.sessions).1.iter().any(|open| open == session) => None,
                Some(_) => Some(StatusCode::NOT_FOUND.into_response()),
            },
        }
    }

    fn new_session(&self) -> String {
        let mut sessions = lock(&self.sessions);
        sessions.0 += 1;
        let session = format!("session-{}", sessions.0);
        sessions.1.push(session.clone());
        session
    }

    fn effect(&self, message: &Value) {
        if message["method"] == "tools/call" {
            lock(&self.effects).push(message["params"].clone());
        }
    }

    fn result(
        &self,
        knobs: &Knobs,
        method: &str,
        message: &Value,
        headers: &HeaderMap,
    ) -> Result<Value, (i64, String)> {
        let is_stateless = knobs.speaks == Speaks::Stateless;
        let mut result = match method {
            "initialize" if !is_stateless => json!({
                "protocolVersion": WITH_SESSIONS,
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "stand-in", "version": "1"},
            }),
            "server/discover" if is_stateless => json!({
                "supportedVersions": [STATELESS],
                "capabilities": {"tools": {}},
                "ttlMs": 0,
                "cacheScope": "private",
            }),
            "tools/list" => page(knobs, message),
            "tools/call" => {
                self.effect(message);
                called(knobs, message, headers)
            }
            _ => return Err((-32601, format!("no method {method}"))),
        };
        if is_stateless && result.get("resultType").is_none() {
            result["resultType"] = json!("complete");
        }
        Ok(result)
    }
}

fn page(knobs: &Knobs, message: &Value) -> Value {
    let cursor = message["params"]["cursor"].as_str();
    let number: usize = cursor.and_then(|text| text.parse().ok()).unwrap_or(0);
    if knobs.cursor_never_ends {
        let name = format!("tool{number}");
        return json!({"tools": [super::tool(&name, &json!({}))], "nextCursor": (number + 1).to_string()});
    }
    if knobs.cursor_repeats {
        return json!({"tools": [], "nextCursor": "7"});
    }
    let from = number * knobs.page_size;
    let mut rest = knobs.tools.iter().skip(from);
    let tools: Vec<&Value> = rest.by_ref().take(knobs.page_size).collect();
    match rest.next() {
        Some(_) => json!({"tools": tools, "nextCursor": (number + 1).to_string()}),
        None => json!({"tools": tools}),
    }
}

fn called(knobs: &Knobs, message: &Value, headers: &HeaderMap) -> Value {
    if knobs.echoes_headers {
        let text = format!("{headers:?}");
        let sent = headers.get(header::AUTHORIZATION);
        let sent = sent
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        return json!({
            "content": [{"type": "text", "text": format!("{text} {sent}")}],
            "structuredContent": {"sent": [sent]},
        });
    }
    let name = &message["params"]["name"];
    let text = format!("called {}", name.as_str().unwrap_or_default());
    (knobs.result.clone()).unwrap_or(json!({"content": [{"type": "text", "text": text}]}))
}

fn failing(fault: &McpFault, message: &Value) -> Response {
    let status = |code: u16| {
        StatusCode::from_u16(code)
            .expect("a status")
            .into_response()
    };
    match fault {
        McpFault::Status(code) => status(*code),
        McpFault::Pause(seconds) => {
            let mut response = status(429);
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, (*seconds).into());
            response
        }
        McpFault::Challenge(at) => {
            let mut response = status(401);
            let challenge = format!("Bearer resource_metadata=\"{at}\"");
            let challenge = challenge.parse().expect("a header");
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, challenge);
            response
        }
        McpFault::Redirect(to) => {
            let mut response = status(302);
            let to = to.parse().expect("a header");
            response.headers_mut().insert(header::LOCATION, to);
            response
        }
        McpFault::Error(code, text) => as_json(&json!({
            "jsonrpc": "2.0", "id": message["id"], "error": {"code": code, "message": text},
        })),
        McpFault::Body(body) => typed("application/json", Body::from(body.clone())),
        McpFault::OtherId => {
            as_json(&json!({"jsonrpc": "2.0", "id": 987_654, "result": {"tools": []}}))
        }
        McpFault::CutWithin => {
            let pieces = [
                Ok(Bytes::from_static(b"{\"jsonrpc\":")),
                Err(io::Error::other("cut")),
            ];
            typed("application/json", Body::from_stream(stream::iter(pieces)))
        }
        McpFault::EndsEarly => as_events(": nothing\n\n".to_owned()),
        McpFault::NeverEnds => as_events(NOTHING_YET.to_owned()),
        McpFault::Huge(bytes) => typed("application/json", endless(*bytes, b' ')),
        McpFault::HugeEvents(bytes) => typed("text/event-stream", endless(*bytes, b':')),
        McpFault::CutAfter | McpFault::CutBefore | McpFault::Hangs | McpFault::SessionGone => cut(),
    }
}

/// Whether the call is done in spite of the fault.
fn has_effect(fault: &McpFault) -> bool {
    let refused = matches!(
        fault,
        McpFault::Status(_)
            | McpFault::Pause(_)
            | McpFault::Challenge(_)
            | McpFault::Redirect(_)
            | McpFault::Error(..)
    );
    !refused
}

/// Ends the connection without an answer: the task that serves it is gone.
fn cut() -> ! {
    panic::resume_unwind(Box::new("the connection is cut on purpose"))
}

fn as_json(value: &Value) -> Response {
    typed("application/json", Body::from(value.to_string()))
}

fn as_events(text: String) -> Response {
    typed("text/event-stream", Body::from(text))
}

fn typed(media_type: &'static str, body: Body) -> Response {
    ([(header::CONTENT_TYPE, media_type)], body).into_response()
}

/// So many bytes in pieces.
fn endless(bytes: usize, filler: u8) -> Body {
    const PIECE: usize = 64 * 1024;
    let piece = Bytes::from(vec![filler; PIECE]);
    let pieces = std::iter::repeat_n(piece, bytes.div_ceil(PIECE));
    let pieces = pieces.map(Ok::<_, io::Error>);
    Body::from_stream(stream::iter(pieces))
}
