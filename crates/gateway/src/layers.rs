//! The layers of every request, outermost first: an id, a span and security headers (`observe`), CORS, then a limit on
//! requests under way, a deadline, a panic handler and forwarding to other instances (`admit`), and a bound on the
//! body.

use std::{
    any::Any,
    panic::AssertUnwindSafe,
    sync::{Arc, LazyLock},
    time::Duration,
};

use axum::{
    Router,
    extract::{DefaultBodyLimit, MatchedPath, Request, State},
    http::{HeaderName, HeaderValue, Method, header, request},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use domain::{
    id::RequestId,
    limits::{GIT_REQUEST_MAX, MCP_ANSWER_TIMEOUT, MODEL_HEAD_TIMEOUT},
};
use futures::FutureExt as _;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tracing::Instrument;
use wire::problem::Code;

use crate::{
    connections::{self, ClientConnection, RequestsFull},
    error::Failure,
    extract::RequestPermit,
    forward::forward,
    options::Options,
    rejections::{AuditedRequest, Operations},
    routes::{
        git,
        live::is_preview_look,
        llm::{self, ModelFailure},
    },
    state::Gateway,
};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Longest request id that is accepted from a client.
const REQUEST_ID_LENGTH_MAX: usize = 64;
/// How long a browser may cache the response to a CORS preflight.
const CORS_MAX_AGE: Duration = Duration::from_hours(1);

/// In one stack of few layers: every request clones each of them, and those in a `layer` of their own are boxed.
pub(crate) fn apply(
    router: Router<Gateway>,
    gateway: &Gateway,
    listener: Listener,
    operations: &'static LazyLock<Operations>,
) -> Router<Gateway> {
    router.layer((
        middleware::from_fn_with_state((gateway.clone(), operations), observe),
        cors(&gateway.options.cors_allowed_origins),
        middleware::from_fn_with_state((gateway.clone(), listener), admit),
        DefaultBodyLimit::max(gateway.options.request_body_bytes_max),
    ))
}

/// The listener that a request arrived on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listener {
    People,
    Sandboxes,
}

/// Assigns the request id, measures the request, renders failures and logs them once.
async fn observe(
    State((gateway, operations)): State<(Gateway, &'static LazyLock<Operations>)>,
    request: Request,
    next: Next,
) -> Response {
    let app = &gateway.app;
    let started = app.clock.monotonic();
    let request_id = request_id(&gateway, &request);
    let method = request.method().clone();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map(|path| path.as_str().to_owned());
    let route = route.unwrap_or_else(|| "(none)".to_owned());
    let span = tracing::info_span!(
        "request", %method, route, request_id,
        organization_id = tracing::field::Empty, caller = tracing::field::Empty,
    );
    let reader = Reader::of(&route, request.uri().path());
    let audited = AuditedRequest::of(&request);
    let answer = async {
        match audited {
            Some(audited) => {
                let response = next.run(request);
                audited
                    .record_response(&gateway, operations, response)
                    .await
            }
            None => next.run(request).await,
        }
    };
    let mut response = answer.instrument(span.clone()).await;
    if let Some(rendered) = span.in_scope(|| render_failure(&mut response, reader, &request_id)) {
        let mut rendered = rendered;
        let allow = response.headers_mut().remove(header::ALLOW);
        // Headers that inner layers added are kept; those that describe the replaced body are not.
        for (name, value) in response.headers() {
            if ![header::CONTENT_TYPE, header::CONTENT_LENGTH].contains(name) {
                rendered.headers_mut().insert(name.clone(), value.clone());
            }
        }
        if let Some(allow) = allow {
            rendered.headers_mut().insert(header::ALLOW, allow);
        }
        response = rendered;
    }
    add_security_headers(&mut response);
    if let Ok(value) = HeaderValue::from_str(&request_id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    let took = app.clock.monotonic().saturating_sub(started);
    let status = response.status().as_u16();
    let labels = [
        ("method", method_label(&method).to_owned()),
        ("route", route),
        ("status", status.to_string()),
    ];
    metrics::counter!("proliferate_http_requests_total", &labels).increment(1);
    metrics::histogram!("proliferate_http_request_seconds", &labels).record(took.as_secs_f64());
    span.in_scope(|| tracing::debug!(status, took_us = took.as_micros(), "answered"));
    response
}

/// The kind of client that reads the failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    Client,
    /// An agent's model library.
    Model,
    /// Git in a sandbox.
    Git,
}

impl Reader {
    fn of(route: &str, path: &str) -> Self {
        if path.starts_with(llm::PREFIX) {
            Self::Model
        } else if git::ROUTES.contains(&route) {
            Self::Git
        } else {
            Self::Client
        }
    }
}

/// A failure in the client's format, logged; `None` if there was none.
fn render_failure(response: &mut Response, reader: Reader, request_id: &str) -> Option<Response> {
    let extensions = response.extensions_mut();
    if let Some(failure) = extensions.remove::<ModelFailure>() {
        failure.log();
        return Some(failure.render(request_id));
    }
    let failure = extensions.remove::<Failure>()?;
    log_failure(&failure);
    Some(match reader {
        Reader::Model => ModelFailure::from(failure).render(request_id),
        Reader::Git => git::render_for_git(&failure),
        Reader::Client => failure.render(request_id),
    })
}

/// INVARIANT: clients cannot add time series: a method can be any word, so unknown ones share a label.
fn method_label(method: &Method) -> &str {
    match method.as_str() {
        known @ ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS") => known,
        _ => "(other)",
    }
}

fn log_failure(failure: &Failure) {
    let (code, status) = (failure.code.as_str(), failure.code.status());
    match &failure.context {
        Some(context) if status >= 500 => tracing::error!(code, %context, "request failed"),
        None if status >= 500 => tracing::error!(code, "request failed"),
        _ => tracing::debug!(code, detail = failure.problem.detail, "request refused"),
    }
}

/// The client's own id for the request if it is harmless, else a new one.
fn request_id(gateway: &Gateway, request: &Request) -> String {
    let given = request
        .headers()
        .get(&REQUEST_ID)
        .and_then(|value| value.to_str().ok());
    let harmless = |text: &&str| {
        let safe = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
        (1..=REQUEST_ID_LENGTH_MAX).contains(&text.len()) && text.bytes().all(safe)
    };
    given.filter(harmless).map_or_else(
        || RequestId::generate(gateway.app.now(), &*gateway.app.entropy).to_string(),
        str::to_owned,
    )
}

/// Handles a request: here or on the instance it belongs to, if there is capacity, within the deadline, and with panics
/// caught.
///
/// Returns 503 at once when too many requests are under way, of all clients or of this one, instead of queueing where
/// no metric shows it. Health and metrics are served all the same: an orchestrator must not kill an instance for being
/// busy.
async fn admit(
    State((gateway, listener)): State<(Gateway, Listener)>,
    mut request: Request,
    next: Next,
) -> Response {
    let is_about_us = ["/health", "/metrics"].contains(&request.uri().path());
    let is_sandbox = listener == Listener::Sandboxes || has_sandbox_token(&gateway, &request);
    let (share, bounds) = if is_sandbox {
        (&gateway.sandboxes, &gateway.options.sandboxes)
    } else {
        (&gateway.people, &gateway.options.people)
    };
    // Tests without a socket have no connection.
    let connection = request.extensions().get::<Arc<ClientConnection>>();
    let client = connection
        .map(|connection| connections::client_of(connection, request.headers(), bounds.loopback));
    let room = share.begin(client);
    if let Err(full) = &room
        && !is_about_us
    {
        let detail = match full {
            RequestsFull::All => "too many requests are under way",
            RequestsFull::Client => "too many requests from this address are under way",
        };
        return Failure::new(Code::Overloaded, detail).into_response();
    }
    let deadline = deadline(&gateway.options, &request);
    // Its permit in the organization's share is acquired when its caller is known, and released with
    // the response.
    let request_permit = RequestPermit::default();
    request.extensions_mut().insert(request_permit.clone());
    let done = AssertUnwindSafe(forward(&gateway, request, next)).catch_unwind();
    // On a timeout the transaction of the request, if any, is rolled back.
    let ended = tokio::time::timeout(deadline, done).await;
    drop(request_permit);
    match ended {
        Ok(Ok(response)) => response,
        Ok(Err(panic)) => panic_response(&*panic),
        Err(_) => Failure::new(Code::RequestTimeout, "the request took too long").into_response(),
    }
}

/// Whether the request carries a token that the gateway issued for a sandbox, on any listener: then it uses the
/// capacity of sandboxes.
///
/// INVARIANT: the MAC decides, not the format: a client without such a token uses no sandbox capacity on the user
/// listener. Whether the token is still valid is checked later; the MAC alone costs a microsecond.
fn has_sandbox_token(gateway: &Gateway, request: &Request) -> bool {
    let headers = request.headers();
    let text = |name| {
        let value: Option<&HeaderValue> = headers.get(name);
        value.and_then(|value| value.to_str().ok())
    };
    let is_ours = |token: &str| gateway.app.tokens.is_for_sandboxes(token.trim());
    if text(HeaderName::from_static("x-api-key")).is_some_and(is_ours) {
        return true;
    }
    let authorization = text(header::AUTHORIZATION).and_then(|text| text.split_once(' '));
    authorization.is_some_and(|(scheme, token)| match scheme {
        _ if scheme.eq_ignore_ascii_case("bearer") => is_ours(token),
        // Only git uses names and passwords.
        _ if is_git(request) => git::password(headers).is_some_and(|token| is_ours(&token)),
        _ => false,
    })
}

fn is_git(request: &Request) -> bool {
    let route = request.extensions().get::<MatchedPath>();
    route.is_some_and(|route| git::ROUTES.contains(&route.as_str()))
}

/// The deadline of a request.
///
/// An upload is as slow as its client's connection: it has a longer deadline, and a minimum rate.
fn deadline(options: &Options, request: &Request) -> Duration {
    let usual = options.request_timeout;
    let route = request.extensions().get::<MatchedPath>();
    match route.map(MatchedPath::as_str) {
        Some("/v1/artifacts") if request.method() == Method::POST => options.upload_timeout,
        Some("/v1/recordings/{id}/chunks/{n}") => options.upload_timeout,
        // A call over MCP that waits for an approval.
        Some("/proliferate/{id}/mcp") => usual.max(MCP_ANSWER_TIMEOUT),
        // A model that thinks: only the head of a response is waited for here.
        Some(route) if llm::ROUTES.contains(&route) => usual.max(MODEL_HEAD_TIMEOUT),
        // A repository: a push is sent whole before its server responds.
        Some(route) if git::ROUTES.contains(&route) => usual.max(GIT_REQUEST_MAX),
        _ => usual,
    }
}

fn panic_response(panic: &(dyn Any + Send)) -> Response {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("(no message)");
    tracing::error!(message, "a handler panicked");
    Failure::new(Code::Internal, "the gateway had an internal error").into_response()
}

/// Headers of every response: it may not be framed, sniffed, or load other origins.
fn add_security_headers(response: &mut Response) {
    const HEADERS: [(HeaderName, &str); 5] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
             connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ];
    let headers = response.headers_mut();
    headers.reserve(HEADERS.len() + 2);
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        headers.entry(name).or_insert(value);
    }
    // Responses are confidential to the caller; a cacheable one sets its own header.
    let no_store = HeaderValue::from_static("no-store");
    headers.entry(header::CACHE_CONTROL).or_insert(no_store);
}

fn cors(allowed_origins: &[String]) -> CorsLayer {
    let origins = allowed_origins
        .iter()
        .filter_map(|origin| HeaderValue::from_str(origin).ok())
        .collect::<Vec<_>>();
    // A page from a sandbox has an opaque origin, and sends requests to its own server; its credential is in the
    // URL.
    let is_allowed = move |origin: &HeaderValue, request: &request::Parts| {
        origins.contains(origin) || (origin == "null" && is_preview_look(request.uri.path()))
    };
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(is_allowed))
        .allow_methods([
            Method::GET,
            Method::POST,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
        ])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            HeaderName::from_static("idempotency-key"),
            HeaderName::from_static("x-org-id"),
            REQUEST_ID,
        ])
        .expose_headers([REQUEST_ID, header::RETRY_AFTER])
        .max_age(CORS_MAX_AGE)
}
