//! What a WebSocket route does, and its admission: a client that authenticates by a header or a subprotocol is refused
//! by a status, one that authenticates by its first frame by the reason of the close.

use std::future::Future;

use app::access::Insider;
use axum::{
    extract::ws::{WebSocket, WebSocketUpgrade},
    http::HeaderMap,
    response::Response,
};
use domain::{
    capacity::{CapacityExceeded, CapacityPermit},
    id::SessionId,
    limits::{SOCKET_READ_BUFFER_BYTES, SOCKET_UNKNOWN_FRAME_BYTES_MAX, SOCKET_WRITE_BUFFER_BYTES},
};
use wire::problem::Code;

use super::{
    client::{PROTOCOL, SocketClient},
    close::Close,
};
use crate::{
    connections::RequestsFull,
    error::Failure,
    extract::{StreamAuth, StreamCredential},
    state::Gateway,
};

/// An upgrade request, before its permission is checked.
pub(super) struct UpgradeContext {
    pub(super) gateway: Gateway,
    pub(super) id: SessionId,
    pub(super) headers: HeaderMap,
    /// Whether the client authenticates with its first frame.
    is_known_by_frame: bool,
}

impl UpgradeContext {
    pub(super) fn new(
        gateway: &Gateway,
        id: SessionId,
        headers: HeaderMap,
        socket_client: &SocketClient,
    ) -> Self {
        Self {
            gateway: gateway.clone(),
            id,
            headers,
            is_known_by_frame: matches!(socket_client, SocketClient::Unknown(_)),
        }
    }

    /// A permit for the connection on the client's account.
    pub(super) fn permit(&self, insider: &Insider) -> Result<CapacityPermit, CapacityExceeded> {
        let live_clients = &self.gateway.capacities.live_clients;
        live_clients.try_acquire(&insider.claimant(), 1)
    }

    /// The close reason for an invalid frame.
    pub(super) fn unreadable(&self) -> Close {
        if self.is_known_by_frame {
            Close::UnreadableAfterFrame
        } else {
            Close::Unreadable
        }
    }
}

/// A WebSocket route.
pub(super) trait SocketHandler: Sized + Send + Sync + 'static {
    /// The data of an admitted client.
    type Admitted: Send;
    /// The largest frame of a client that is authenticated at the upgrade.
    const FRAME_BYTES_MAX: usize;
    /// The operation under which a refusal is recorded; `None` for one that only reads.
    const REFUSED_AS: Option<&'static str>;

    fn enter(
        &self,
        context: &UpgradeContext,
        insider: Insider,
    ) -> impl Future<Output = Result<Self::Admitted, Failure>> + Send;

    fn run(
        context: UpgradeContext,
        admitted: Self::Admitted,
        credential: StreamCredential,
        socket: WebSocket,
    ) -> impl Future<Output = ()> + Send;
}

/// Admits a client to a WebSocket route.
pub(super) async fn admit<E: SocketHandler>(
    context: UpgradeContext,
    handler: E,
    socket_client: SocketClient,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    let full = |_| Failure::new(Code::Overloaded, "too many clients are connected");
    let sockets = context.gateway.sockets.clone();
    let room = sockets.room.clone().try_acquire_owned().map_err(full)?;
    let open = sockets.open.token();
    // It cannot be raised later: a connection keeps its initial limit.
    let frame_bytes_max = if context.is_known_by_frame {
        E::FRAME_BYTES_MAX.min(SOCKET_UNKNOWN_FRAME_BYTES_MAX)
    } else {
        E::FRAME_BYTES_MAX
    };
    let upgrade = upgrade
        .protocols([PROTOCOL])
        .max_message_size(frame_bytes_max)
        .max_frame_size(frame_bytes_max)
        .read_buffer_size(SOCKET_READ_BUFFER_BYTES)
        .write_buffer_size(SOCKET_WRITE_BUFFER_BYTES);
    Ok(match socket_client {
        SocketClient::Known(stream_auth) => {
            let StreamAuth(insider, credential) = *stream_auth;
            // A refusal here is a status.
            let permit = context.permit(&insider)?;
            let admitted = match handler.enter(&context, insider).await {
                Ok(admitted) => admitted,
                // This one is a close reason: few clients expose the response to an upgrade.
                Err(failure) if failure.code == Code::WrongInstance => {
                    return Ok(upgrade.on_upgrade(async move |mut socket| {
                        let _here = (room, open);
                        Close::WrongInstance.send(&mut socket).await;
                    }));
                }
                Err(failure) => return Err(failure),
            };
            upgrade.on_upgrade(async move |socket| {
                let _here = (room, open, permit);
                E::run(context, admitted, credential, socket).await;
            })
        }
        SocketClient::Unknown(peer) => {
            let unknown = sockets.unknown.begin(peer).map_err(unknown_full)?;
            upgrade.on_upgrade(async move |mut socket| {
                let _here = (room, open);
                let admitted = context.authenticate(&handler, unknown, &mut socket).await;
                if let Some((admitted, credential, _permit)) = admitted {
                    E::run(context, admitted, credential, socket).await;
                }
            })
        }
    })
}

fn unknown_full(full: RequestsFull) -> Failure {
    let detail = match full {
        RequestsFull::All => "too many connected clients have not sent their `auth` frame",
        RequestsFull::Client => {
            "too many connections from this address have not sent their `auth` frame; send it, or give the token in a \
             header or a subprotocol"
        }
    };
    Failure::new(Code::Overloaded, detail)
}
