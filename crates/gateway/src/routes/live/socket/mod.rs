//! A session's own URL: with an upgrade its stream as a WebSocket, without one its sandbox.
//!
//! INVARIANT: a token is sent in a header, a cookie, as a subprotocol or in the first frame, never in the URL, which
//! proxies log. Of the client's subprotocols, the response names the protocol version alone.

mod admission;
mod client;
mod client_message;
mod close;
mod handler;
mod message_loop;
mod repository;
mod services;
mod session_stream;
mod terminal;

use app::access::SessionAccess;
use axum::{
    extract::{
        State,
        ws::{WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use domain::{clock::Timestamp, id::SessionId};
use hub::SandboxInfo;
use wire::{
    live::{EventsQuery, SandboxView},
    problem::Code,
};

pub(crate) use self::client::SocketClient;
pub(crate) use self::terminal::*;
use self::{admission::admit, handler::UpgradeContext, session_stream::SessionStream};
use super::hub;
use crate::{
    error::Failure,
    extract::{Json, PathId, Query},
    openapi::LiveProblems,
    routes::Answer,
    state::Gateway,
};

/// Watch and steer a session over a WebSocket; without an upgrade, its sandbox.
///
/// A client that cannot send an `Authorization` header offers the subprotocols `proliferate.v1` and `bearer.TOKEN`,
/// or sends `{"type": "auth", "token": TOKEN}` as the first frame. Frames are those of docs/reference/live.schema.json; each
/// event has its position in the log (`seq`), and a client that reconnects with the last one as `after` gets the missed
/// events and none twice.
#[utoipa::path(get, path = "/proliferate/{id}", operation_id = "session_attach", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session"), EventsQuery),
    responses((status = 101, description = "A WebSocket: frames of the protocol"),
        (status = 200, description = "The sandbox of its agent", body = SandboxView), LiveProblems))]
pub(crate) async fn attach(
    State(gateway): State<Gateway>,
    socket_client: SocketClient,
    PathId(id): PathId<SessionId>,
    Query(query): Query<EventsQuery>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Answer<Response> {
    let hub = hub(&gateway)?;
    let upgrade = match (upgrade, &socket_client) {
        (Ok(upgrade), _) => upgrade,
        (Err(_), SocketClient::Known(stream_auth)) => {
            let access = SessionAccess::of(&gateway.app, &stream_auth.0, id).await?;
            let info = hub.sandboxes.read_info(&access).await?;
            return Ok(Json(view(&info)).into_response());
        }
        (Err(_), SocketClient::Unknown(_)) => {
            return Err(Failure::new(
                Code::Unauthenticated,
                "this is not a WebSocket",
            ));
        }
    };
    let context = UpgradeContext::new(&gateway, id, headers, &socket_client);
    let stream = SessionStream { after: query.after };
    admit(context, stream, socket_client, upgrade).await
}

fn view(info: &SandboxInfo) -> SandboxView {
    let sandbox = info.sandbox.as_ref();
    SandboxView {
        session_id: info.session.id.uuid(),
        status: info.session.state.status().into(),
        sandbox_id: sandbox.map(|sandbox| sandbox.id.clone()),
        provider: sandbox.map(|sandbox| sandbox.provider.clone()),
        tier: sandbox.map(|sandbox| sandbox.tier.clone()),
        unprotected: sandbox
            .map(|sandbox| {
                sandbox
                    .unprotected
                    .iter()
                    .map(ToString::to_string)
                    .collect()
            })
            .unwrap_or_default(),
        expires_at: sandbox
            .and_then(|sandbox| sandbox.expires_at)
            .map(Timestamp::datetime),
    }
}
