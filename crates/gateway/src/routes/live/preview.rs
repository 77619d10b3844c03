//! What a session's agent built, looked at through the gateway: HTTP and WebSockets to the port that was exposed.
//!
//! INVARIANT: a page from a sandbox has no origin of ours: it can read neither cookies nor storage of the gateway's
//! address, nor call its API as whoever looks.

use app::{access::Insider, sessions};
use axum::{
    body::Body,
    extract::{Path, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header},
    response::Response,
};
use domain::{
    id::SessionId,
    limits::{PREVIEW_REQUEST_BYTES_MAX, PREVIEW_STREAMS_MAX},
};
use futures::StreamExt as _;
use hub::house::PreviewRequest;
use hyper_util::rt::TokioIo;
use tokio::sync::OwnedSemaphorePermit;
use wire::problem::Code;

use super::{house, socket::Visitor};
use crate::{error::Failure, openapi::SteerProblems, routes::Answer, state::Gateway};

/// What a page of a sandbox may do: run, and nothing as us. Only our own pages may show it in a frame.
const POLICY: &str = "sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads; frame-ancestors 'self'";

/// Headers of a connection, and those with which a page would speak for the whole address.
const LEFT_OUT: [&str; 17] = [
    "connection",
    "keep-alive",
    "transfer-encoding",
    "trailer",
    "te",
    "set-cookie",
    "strict-transport-security",
    "clear-site-data",
    "service-worker-allowed",
    "content-security-policy",
    "content-security-policy-report-only",
    "x-frame-options",
    "alt-svc",
    "report-to",
    "nel",
    "origin-agent-cluster",
    "www-authenticate",
];

/// Look at what listens on the port that the session has exposed. Whatever is below this address is asked of that
/// server, whatever the method; other methods than GET are for whoever may steer the session.
///
/// Tokens, cookies and where the request came from are not passed on; cookies and policies of the server are not passed
/// back. Pages run without an origin of this gateway.
#[utoipa::path(get, path = "/proliferate/{id}/preview/{port}/", operation_id = "session_preview", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session"),
        ("port" = u16, Path, description = "The port that it exposed")),
    responses((status = 200, description = "What the server answers, with its own status",
        content((Vec<u8> = "application/octet-stream"))), SteerProblems))]
pub(crate) async fn preview(
    State(gateway): State<Gateway>,
    visitor: Visitor,
    Path(place): Path<Vec<(String, String)>>,
    request: Request,
) -> Answer<Response> {
    let Visitor::Known(insider) = visitor else {
        let message = "a preview is opened with a header or a subprotocol";
        return Err(Failure::new(Code::Unauthenticated, message));
    };
    let (id, port) = named(&place)?;
    let base = format!("/proliferate/{id}/preview/{port}");
    let look = Look {
        insider,
        id,
        port,
        base,
    };
    shown(&gateway, look, request).await
}

/// Who looks at what, and the address that it has for them.
pub(super) struct Look {
    pub(super) insider: Insider,
    pub(super) id: SessionId,
    pub(super) port: u16,
    pub(super) base: String,
}

/// Asks the server, and gives its answer.
pub(super) async fn shown(gateway: &Gateway, look: Look, request: Request) -> Answer<Response> {
    let Look {
        insider,
        id,
        port,
        base,
    } = look;
    let house = house(gateway)?;
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        sessions::fetch(&gateway.app, &insider, id).await?;
    } else {
        sessions::steer(&gateway.app, &insider, id).await?;
    }
    let room = gateway.previews.clone().try_acquire_owned();
    let room = room.map_err(|_| {
        let message = format!("there are {PREVIEW_STREAMS_MAX} requests to previews already");
        Failure::new(Code::Overloaded, message)
    })?;
    let (mut parts, body) = request.into_parts();
    let client = parts.extensions.remove::<hyper::upgrade::OnUpgrade>();
    let body = axum::body::to_bytes(body, PREVIEW_REQUEST_BYTES_MAX).await;
    let body = body
        .map_err(|_| Failure::new(Code::PayloadTooLarge, "the body is too large for a preview"))?;
    let asked = PreviewRequest {
        method: parts.method,
        path: below(&parts.uri),
        headers: parts.headers,
        body,
    };
    let organization_id = insider.organization_id();
    let answer = house.preview(organization_id, id, port, asked).await?;
    let (status, headers) = (answer.status(), told(answer.headers(), &base, port));
    let mut response = if status == StatusCode::SWITCHING_PROTOCOLS {
        let Some(client) = client else {
            return Err(Failure::new(
                Code::UpstreamUnavailable,
                "nobody asked to upgrade",
            ));
        };
        let stop = gateway.sockets.stop.clone();
        gateway.sockets.open.spawn(async move {
            let _room = room;
            let (Ok(client), Ok(mut server)) = (client.await, answer.upgrade().await) else {
                return;
            };
            let mut client = TokioIo::new(client);
            tokio::select! {
                _ = tokio::io::copy_bidirectional(&mut client, &mut server) => {}
                () = stop.cancelled() => {}
            }
        });
        Response::new(Body::empty())
    } else {
        Response::new(Body::from_stream(held(answer, room)))
    };
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    Ok(response)
}

fn named(place: &[(String, String)]) -> Result<(SessionId, u16), Failure> {
    let id = part(place, "id").and_then(|id| id.parse().ok());
    let port = part(place, "port").and_then(|port| port.parse().ok());
    let named = id.zip(port);
    named.ok_or_else(|| Failure::new(Code::NotFound, "there is nothing with this id"))
}

/// A part of the address.
pub(super) fn part<'a>(place: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = place.iter().find(|(own, _)| own == name);
    found.map(|(_, value)| value.as_str())
}

/// The address behind the preview's own, as it was written.
fn below(uri: &Uri) -> String {
    // Behind `/proliferate`, the id, `preview` and the port, or `look` and the ticket.
    let rest = uri.path().splitn(6, '/').nth(5).unwrap_or_default();
    match uri.query() {
        Some(query) => format!("/{rest}?{query}"),
        None => format!("/{rest}"),
    }
}

/// What comes back of an answer's head.
fn told(headers: &HeaderMap, base: &str, port: u16) -> HeaderMap {
    let is_kept = |name: &HeaderName| {
        !LEFT_OUT.contains(&name.as_str()) && !name.as_str().starts_with("access-control-")
    };
    let mut kept: HeaderMap = headers
        .iter()
        .filter(|(name, _)| is_kept(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if headers.contains_key(header::UPGRADE) {
        kept.insert(header::CONNECTION, HeaderValue::from_static("Upgrade"));
    }
    let location = kept.get(header::LOCATION).and_then(|to| to.to_str().ok());
    if let Some(to) = location.and_then(|to| moved(to, base, port)) {
        kept.insert(header::LOCATION, to);
    }
    kept.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    );
    kept.insert(
        header::X_FRAME_OPTIONS,
        HeaderValue::from_static("SAMEORIGIN"),
    );
    kept
}

/// Where the server sends a browser, if that is a place of its own.
fn moved(to: &str, base: &str, port: u16) -> Option<HeaderValue> {
    let own = [
        format!("http://localhost:{port}"),
        format!("http://127.0.0.1:{port}"),
    ];
    let path = own.iter().find_map(|own| to.strip_prefix(own.as_str()));
    let path = path.unwrap_or(to);
    let is_own = path.starts_with('/') && !path.starts_with("//");
    is_own.then(|| HeaderValue::from_str(&format!("{base}{path}")).ok())?
}

/// The bytes, with the room they take until they are gone.
fn held(
    answer: reqwest::Response,
    room: OwnedSemaphorePermit,
) -> impl futures::Stream<Item = reqwest::Result<axum::body::Bytes>> {
    answer.bytes_stream().map(move |piece| {
        let _held = &room;
        piece
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_sends_browsers_to_places_of_its_own() {
        let base = "/proliferate/s/preview/3000";
        for (to, expected) in [
            (
                "/login?next=/",
                Some("/proliferate/s/preview/3000/login?next=/"),
            ),
            (
                "http://localhost:3000/a",
                Some("/proliferate/s/preview/3000/a"),
            ),
            ("http://localhost:3001/a", None),
            ("//evil.example/", None),
            ("https://example.com/", None),
            ("next", None),
        ] {
            let moved = moved(to, base, 3000);
            let moved = moved.as_ref().and_then(|to| to.to_str().ok());
            assert_eq!(moved, expected, "{to}");
        }
    }

    #[test]
    fn a_page_does_not_speak_for_the_gateway() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("set-cookie", "session=x"),
            ("access-control-allow-origin", "*"),
            ("content-security-policy", "default-src *"),
            ("content-type", "text/html"),
        ] {
            headers.insert(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        let told = told(&headers, "/p", 1);
        assert_eq!(told["content-security-policy"], POLICY);
        assert!(
            told.get("set-cookie").is_none() && told.len() == 3,
            "{told:?}"
        );
    }
}
