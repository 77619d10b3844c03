//! Forwards one request to another instance and returns its response, of any kind.

use std::sync::Arc;

use axum::{
    body::{Body, HttpBody as _},
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use domain::limits::{FORWARD_BUFFER_BYTES, GIT_STALL_MAX};
use futures::StreamExt as _;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::io::copy_bidirectional_with_sizes;
use wire::problem::Code;

use crate::{
    connections::{ClientConnection, add_forwarded_for},
    error::Failure,
    extract::paced,
    state::{Gateway, Sockets},
};

/// Marks a forwarded request.
pub(super) const HOP: HeaderName = HeaderName::from_static("x-proliferate-hop");

/// Headers of one connection, not of the request.
const OF_CONNECTION: [HeaderName; 8] = [
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Forwards the request. A missing response is reported as such: the request may have taken effect.
pub(super) async fn send_to_instance(
    gateway: &Gateway,
    url: &str,
    request: Request,
) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let upgrade = parts.extensions.remove::<OnUpgrade>();
    let is_upgrade = parts.headers.contains_key(header::UPGRADE);
    // Not every request with a body announces it in its head.
    let (body, slow) = if body.is_end_stream() {
        (None, None)
    } else {
        // Its caller is not authenticated here: a client that does not send must not hold the
        // request open.
        let (body, slow) = paced(gateway, body, GIT_STALL_MAX);
        (Some(reqwest::Body::wrap_stream(body)), Some(slow))
    };
    let request = build_request(gateway, url, &parts, body);
    let answer = request.send().await.map_err(|error| {
        let error = error.without_url();
        tracing::warn!(%error, url, "a request could not be forwarded to the instance that serves its session");
        let message = "the instance that serves this session does not respond";
        Failure::new(Code::UpstreamUnavailable, message)
    });
    let answer = match slow {
        Some(slow) => slow.explain(answer)?,
        None => answer?,
    };
    if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
        return Ok(stream_response(answer, &gateway.sockets));
    }
    match upgrade.filter(|_| is_upgrade) {
        Some(upgrade) => join_upgrade(answer, upgrade, &gateway.sockets),
        None => Err(Failure::new(
            Code::UpstreamUnavailable,
            "the instance that serves this session sent no response",
        )),
    }
}

fn build_request(
    gateway: &Gateway,
    url: &str,
    parts: &Parts,
    body: Option<reqwest::Body>,
) -> reqwest::RequestBuilder {
    let path = parts.uri.path_and_query();
    let path = path.map_or("/", axum::http::uri::PathAndQuery::as_str);
    let url = format!("{}{path}", url.trim_end_matches('/'));
    let mut headers = end_to_end_headers(&parts.headers);
    headers.remove(header::HOST);
    if let Some(connection) = parts.extensions.get::<Arc<ClientConnection>>() {
        add_forwarded_for(&mut headers, connection);
    }
    if let Some(upgrade) = parts.headers.get(header::UPGRADE) {
        headers.insert(header::UPGRADE, upgrade.clone());
        headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    }
    if let Ok(own) = HeaderValue::from_str(&gateway.app.instance.id.to_string()) {
        headers.insert(HOP, own);
    }
    let request = gateway.forward_client.request(parts.method.clone(), url);
    let request = request.headers(headers);
    match body {
        Some(body) => request.body(body),
        None => request,
    }
}

/// Ends when the server stops, too: some responses have no end of their own.
fn stream_response(answer: reqwest::Response, sockets: &Sockets) -> Response {
    let (status, headers) = (answer.status(), end_to_end_headers(answer.headers()));
    let stop = sockets.stop.clone();
    let pieces = answer.bytes_stream();
    let pieces = pieces.take_until(async move { stop.cancelled().await });
    let mut response = Response::new(Body::from_stream(Box::pin(pieces)));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// Copies bytes in both directions until either end closes, or the server stops.
fn join_upgrade(
    answer: reqwest::Response,
    upgrade: OnUpgrade,
    sockets: &Sockets,
) -> Result<Response, Failure> {
    let full = |_| Failure::new(Code::Overloaded, "too many clients are connected");
    let room = sockets.room.clone().try_acquire_owned().map_err(full)?;
    let mut response = StatusCode::SWITCHING_PROTOCOLS.into_response();
    let headers = response.headers_mut();
    *headers = end_to_end_headers(answer.headers());
    for name in [header::UPGRADE, header::CONNECTION] {
        if let Some(value) = answer.headers().get(&name) {
            headers.insert(name, value.clone());
        }
    }
    let stop = sockets.stop.clone();
    sockets.open.spawn(async move {
        let _room = room;
        let (Ok(ours), Ok(mut theirs)) = tokio::join!(upgrade, answer.upgrade()) else {
            return;
        };
        let mut ours = TokioIo::new(ours);
        let size = FORWARD_BUFFER_BYTES;
        tokio::select! {
            // Both ends see the result themselves.
            _ = copy_bidirectional_with_sizes(&mut ours, &mut theirs, size, size) => {}
            () = stop.cancelled() => {}
        }
    });
    Ok(response)
}

/// Headers of the request or the response itself. Headers that the gateway's own layers add are
/// left out.
fn end_to_end_headers(headers: &HeaderMap) -> HeaderMap {
    let mut kept = headers.clone();
    for name in &OF_CONNECTION {
        kept.remove(name);
    }
    let own: Vec<_> = kept
        .keys()
        .filter(|name| name.as_str().starts_with("access-control-allow-"))
        .cloned()
        .collect();
    for name in own {
        kept.remove(name);
    }
    kept
}
