//! Previews of servers in a session's sandbox through the gateway: HTTP and WebSockets to the exposed port.
//!
//! INVARIANT: a page from a sandbox has an opaque origin: it can read neither cookies nor storage of the gateway's
//! origin, nor call its API as the viewer.

use app::{
    access::{Insider, SessionAccess},
    sessions,
};
use axum::{
    body::Body,
    extract::{Path, Request, State},
    http::{Method, StatusCode, header},
    response::Response,
};
use domain::{
    capacity::{CapacityPermit, Claimant},
    id::SessionId,
    limits::PREVIEW_REQUEST_BYTES_MAX,
};
use futures::StreamExt as _;
use hub::PreviewRequest;
use hyper_util::rt::TokioIo;
use wire::problem::Code;

use super::{
    hub,
    preview_head::{response_headers, target_path},
    socket::SocketClient,
};
use crate::{
    error::Failure,
    extract::{AccessLost, StreamAuth, StreamCredential, StreamScope, read},
    openapi::SteerProblems,
    routes::{Answer, stream_body},
    state::Gateway,
};

/// Preview the port that the session has exposed. Paths below this URL are proxied to that server, with any method;
/// other methods than GET, and WebSockets, need permission to steer the session.
///
/// Tokens, cookies and the request's origin are not passed on; cookies and policies of the server are not passed back.
/// Pages have an opaque origin.
#[utoipa::path(get, path = "/proliferate/{id}/preview/{port}/", operation_id = "session_preview", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session"),
        ("port" = u16, Path, description = "The port that it exposed")),
    responses((status = 200, description = "The server's response, with its own status",
        content((Vec<u8> = "application/octet-stream"))), SteerProblems))]
pub(crate) async fn preview(
    State(gateway): State<Gateway>,
    socket_client: SocketClient,
    Path(place): Path<Vec<(String, String)>>,
    request: Request,
) -> Answer<Response> {
    let SocketClient::Known(stream_auth) = socket_client else {
        let message = "a preview is opened with a header or a subprotocol";
        return Err(Failure::new(Code::Unauthenticated, message));
    };
    let StreamAuth(insider, credential) = *stream_auth;
    let (id, port) = named(&place)?;
    let base = format!("/proliferate/{id}/preview/{port}");
    let preview = AuthorizedPreview {
        insider,
        credential,
        id,
        port,
        base,
    };
    proxy(&gateway, preview, request).await
}

/// A preview request: the viewer, the port, and the base URL.
pub(super) struct AuthorizedPreview {
    pub(super) insider: Insider,
    /// Until when they may view: proxied streams end with it.
    pub(super) credential: StreamCredential,
    pub(super) id: SessionId,
    pub(super) port: u16,
    pub(super) base: String,
}

/// Proxies the request, and returns its response.
pub(super) async fn proxy(
    gateway: &Gateway,
    preview: AuthorizedPreview,
    request: Request,
) -> Answer<Response> {
    let AuthorizedPreview {
        insider,
        credential,
        id,
        port,
        base,
    } = preview;
    let hub = hub(gateway)?;
    // An upgrade starts as a GET, and then carries input: to a shell, to a notebook.
    let is_upgrade = request.headers().contains_key(header::UPGRADE);
    let only_reads = matches!(*request.method(), Method::GET | Method::HEAD) && !is_upgrade;
    let (access, scope) = if only_reads {
        let access = SessionAccess::of(&gateway.app, &insider, id).await?;
        (access.clone(), StreamScope::Watched(access))
    } else {
        let steering = sessions::steer(&gateway.app, &insider, id).await?;
        (steering.access().clone(), StreamScope::Steered(steering))
    };
    // On the session's account: its server may be the one that does not respond.
    let claimant = Claimant::session(insider.organization_id().clone(), id);
    let permit = gateway.capacities.previews.try_acquire(&claimant, 1)?;
    let (mut parts, body) = request.into_parts();
    let client = parts.extensions.remove::<hyper::upgrade::OnUpgrade>();
    let memory = &gateway.capacities.preview_bytes;
    let mut memory = memory.try_acquire(&claimant, 0)?;
    let max = PREVIEW_REQUEST_BYTES_MAX;
    let body = read(gateway, body, max, Some(&mut memory)).await;
    let body = body.map_err(|error| error.failure(max))?;
    let asked = PreviewRequest {
        method: parts.method,
        path: target_path(&parts.uri),
        headers: parts.headers,
        body,
    };
    let answer = hub.inside.forward_preview(&access, port, asked).await?;
    drop(memory);
    let (status, headers) = (
        answer.status(),
        response_headers(answer.headers(), &base, port),
    );
    let mut response = if status == StatusCode::SWITCHING_PROTOCOLS {
        // INVARIANT: without the header, the permission to steer was not checked.
        let Some(client) = client.filter(|_| is_upgrade) else {
            let message = "the server in the sandbox upgraded a request that did not ask for it";
            return Err(Failure::new(Code::UpstreamUnavailable, message));
        };
        let access_lost = credential.access_lost(gateway.clone(), scope);
        join_upgraded(gateway, access_lost, permit, client, answer);
        Response::new(Body::empty())
    } else {
        let access_lost = credential.access_lost(gateway.clone(), scope);
        let pieces = answer.bytes_stream().take_until(Box::pin(access_lost));
        Response::new(stream_body(pieces, permit, gateway.options.send_stall_max))
    };
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    Ok(response)
}

/// Copies bytes between the client and the server in the sandbox, until one of them closes, the viewer loses access or the
/// gateway stops.
fn join_upgraded(
    gateway: &Gateway,
    access_lost: impl Future<Output = AccessLost> + Send + 'static,
    permit: CapacityPermit,
    client: hyper::upgrade::OnUpgrade,
    server: reqwest::Response,
) {
    let stop = gateway.sockets.stop.clone();
    gateway.sockets.open.spawn(async move {
        let _held = permit;
        let (Ok(client), Ok(mut server)) = (client.await, server.upgrade().await) else {
            return;
        };
        let mut client = TokioIo::new(client);
        tokio::select! {
            _ = tokio::io::copy_bidirectional(&mut client, &mut server) => {}
            _ = access_lost => {}
            () = stop.cancelled() => {}
        }
    });
}

fn named(place: &[(String, String)]) -> Result<(SessionId, u16), Failure> {
    let id = parameter(place, "id").and_then(|id| id.parse().ok());
    let port = parameter(place, "port").and_then(|port| port.parse().ok());
    let named = id.zip(port);
    named.ok_or_else(|| Failure::new(Code::NotFound, "there is nothing with this id"))
}

/// A parameter of the path.
pub(super) fn parameter<'a>(place: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = place.iter().find(|(own, _)| own == name);
    found.map(|(_, value)| value.as_str())
}
