//! The gateway as an MCP server: the actions of a session, as tools for any agent.
//!
//! ```text
//! mod.rs       the caller, and the checks of the HTTP request; then the protocol library takes over
//! message.rs   refuses invalid messages of JSON-RPC, and unsupported methods
//! server.rs    the protocol's methods, by the use cases of `app::actions`
//! names.rs     the names of tools              tools.rs   their definitions
//! wait.rs      waits for an approval           outcome.rs the result of a call
//! waits.rs     the waiting calls of this instance
//! ```
//!
//! INVARIANT: no state is kept between two requests. Any instance serves any of them.

mod message;
mod names;
mod outcome;
mod server;
mod tools;
mod wait;
mod waits;

use std::sync::Arc;

use app::actions;
use axum::{
    body::Body,
    extract::{FromRequest, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use domain::{Invalid, caller::Caller, id::SessionId};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use tracing::Span;
use wire::{action::McpQuery, problem::Code};

pub(crate) use self::waits::Waits;

use self::{
    message::Message,
    server::{OPERATION, SessionServer},
};
use crate::{
    error::Failure,
    extract::{Auth, JsonBytes, PathId, Query, origin},
    openapi::McpProblems,
    rejections,
    routes::Answer,
    state::Gateway,
};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// The Model Context Protocol, for agents: the actions of the session, as tools.
///
/// One message of JSON-RPC in each request; the response is JSON, or a stream of events if there is progress
/// to report. Versions 2024-11-05 to 2026-07-28, without sessions of the protocol's own: any instance serves
/// any request. Errors of the protocol and of tools are responses with status 200.
#[utoipa::path(post, path = "/proliferate/{id}/mcp", operation_id = "mcp", tag = "actions",
    params(("id" = uuid::Uuid, Path, description = "The session"), McpQuery),
    request_body(content = Object, content_type = "application/json",
        description = "A message of JSON-RPC 2.0: `initialize`, `server/discover`, `ping`, `tools/list`, \
                       `tools/call` or a notification",
        example = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})),
    responses(
        (status = 200, description = "The answer, of JSON-RPC 2.0",
            content((Object = "application/json"), (String = "text/event-stream"))),
        (status = 202, description = "A notification was taken"),
        McpProblems))]
pub(crate) async fn mcp(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathId(session_id): PathId<SessionId>,
    Query(query): Query<McpQuery>,
    request: Request,
) -> Answer<Response> {
    actions::check_session_access(&gateway.app, &caller, session_id).await?;
    let mut headers = request.headers().clone();
    let own = &gateway.app.instance.advertised_url;
    if !origin::is_allowed(&headers, &gateway.options.cors_allowed_origins, own) {
        let message = "pages of this origin may not call this route";
        return Err(app::Error::Forbidden(message).into());
    }
    must_accept(&headers)?;
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let JsonBytes(bytes) = JsonBytes::from_request(request, &gateway).await?;
    match message::check(&bytes) {
        Ok(Message::Plain) => {}
        Ok(Message::Cancels(request_id)) => {
            gateway.mcp_waits.cancel(&caller, session_id, &request_id);
        }
        Err(refused) => {
            if refused.is_unreadable() {
                let failure = Failure::new(Code::InvalidRequest, "it cannot be read");
                let session = ("session", session_id.uuid());
                rejections::record_rejection(&gateway, &caller, OPERATION, session, &failure).await;
            }
            return Ok(refused.into_response(&headers));
        }
    }
    // Both were checked above; the library insists on its own spelling.
    let accepts = HeaderValue::from_static("application/json, text/event-stream");
    headers.insert(header::ACCEPT, accepts);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
    headers
        .entry(header::HOST)
        .or_insert(HeaderValue::from_static("localhost"));
    let mut checked = Request::new(Body::from(bytes));
    *checked.method_mut() = method;
    *checked.uri_mut() = uri;
    *checked.headers_mut() = headers;
    let server = SessionServer {
        gateway,
        caller,
        session_id,
        wait: query.wait,
        span: Span::current(),
    };
    answer(server, checked).await
}

/// Passes a message to the protocol library.
async fn answer(server: SessionServer, request: Request) -> Answer<Response> {
    // The layers have bounded the body and the origin was checked: tokens decide, not host names.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_retry(None)
        .with_max_request_body_bytes(server.gateway.options.request_body_bytes_max)
        .disable_allowed_hosts();
    let make = move || Ok(server.clone());
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(make, sessions, config);
    let response = service.handle(request).await.map(Body::new);
    problem(&response).map_or(Ok(response), Err)
}

/// Refusals of the library without a message of its own, in the format of every other route.
fn problem(response: &Response) -> Option<Failure> {
    let status = response.status();
    let content_type = response.headers().get(header::CONTENT_TYPE);
    if status.is_success()
        || content_type.is_some_and(|content| content.as_bytes().starts_with(JSON.as_bytes()))
    {
        return None;
    }
    Some(if status == StatusCode::BAD_REQUEST {
        Invalid::new("MCP-Protocol-Version", "is not a supported version").into()
    } else {
        Failure::new(Code::Internal, "the protocol library returned no response")
    })
}

/// A client must accept both kinds of responses. One that names none accepts all.
fn must_accept(headers: &HeaderMap) -> Result<(), Invalid> {
    let mut given = headers.get_all(header::ACCEPT).iter().peekable();
    if given.peek().is_none() {
        return Ok(());
    }
    let accepted: Vec<String> = given
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|kind| {
            kind.split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase()
        })
        .collect();
    let takes = |kind: &str| {
        let (family, _) = kind.split_once('/').unwrap_or_default();
        let any = format!("{family}/*");
        accepted
            .iter()
            .any(|one| [kind, any.as_str(), "*/*"].contains(&one.as_str()))
    };
    if takes(JSON) && takes(EVENTS) {
        return Ok(());
    }
    Err(Invalid::new(
        "Accept",
        "must name application/json and text/event-stream",
    ))
}
