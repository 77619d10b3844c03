//! What a session's agent built, looked at through the gateway: HTTP and WebSockets to the port that was exposed.
//!
//! INVARIANT: a page from a sandbox has no origin of ours: it can read neither cookies nor storage of the gateway's
//! address, nor call its API as whoever looks.

use app::{access::Insider, sessions};
use axum::{
    body::Body,
    extract::{Path, Request, State},
    http::{Method, StatusCode},
    response::Response,
};
use domain::{
    id::SessionId,
    limits::{PREVIEW_REQUEST_BYTES_MAX, PREVIEW_STREAMS_MAX},
};
use futures::future::OptionFuture;
use hub::house::PreviewRequest;
use hyper_util::rt::TokioIo;
use wire::problem::Code;

use super::{
    house,
    preview_head::{below, told},
    socket::Visitor,
};
use crate::{
    error::Failure,
    extract::{Standing, Staying},
    openapi::SteerProblems,
    routes::{Answer, held},
    state::Gateway,
};

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
    let Visitor::Known(Staying(insider, standing)) = visitor else {
        let message = "a preview is opened with a header or a subprotocol";
        return Err(Failure::new(Code::Unauthenticated, message));
    };
    let (id, port) = named(&place)?;
    let base = format!("/proliferate/{id}/preview/{port}");
    let look = Look {
        insider,
        standing: Some(standing),
        id,
        port,
        base,
    };
    shown(&gateway, look, request).await
}

/// Who looks at what, and the address that it has for them.
pub(super) struct Look {
    pub(super) insider: Insider,
    /// Where that may end before the address does.
    pub(super) standing: Option<Standing>,
    pub(super) id: SessionId,
    pub(super) port: u16,
    pub(super) base: String,
}

/// Asks the server, and gives its answer.
pub(super) async fn shown(gateway: &Gateway, look: Look, request: Request) -> Answer<Response> {
    let Look {
        insider,
        standing,
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
        let fallen = standing.map(|standing| standing.fallen(gateway.clone()));
        let fallen = OptionFuture::from(fallen);
        gateway.sockets.open.spawn(async move {
            let _room = room;
            let (Ok(client), Ok(mut server)) = (client.await, answer.upgrade().await) else {
                return;
            };
            let mut client = TokioIo::new(client);
            tokio::select! {
                _ = tokio::io::copy_bidirectional(&mut client, &mut server) => {}
                Some(_) = fallen => {}
                () = stop.cancelled() => {}
            }
        });
        Response::new(Body::empty())
    } else {
        Response::new(Body::from_stream(held(answer.bytes_stream(), room)))
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
