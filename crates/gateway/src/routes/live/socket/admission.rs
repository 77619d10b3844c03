//! The admission of a client to a WebSocket route: a client that authenticates by a header or a subprotocol is refused by
//! a status, one that authenticates by its first frame by the reason of the close.

use app::{access::Insider, identity::Intent};
use axum::{
    extract::ws::{Message, WebSocket, WebSocketUpgrade},
    response::Response,
};
use domain::{
    capacity::CapacityPermit,
    limits::{
        SOCKET_AUTH_WAIT, SOCKET_READ_BUFFER_BYTES, SOCKET_UNKNOWN_FRAME_BYTES_MAX,
        SOCKET_WRITE_BUFFER_BYTES,
    },
};
use tokio::time::timeout;
use wire::{live::ClientMessage, problem::Code};

use super::{
    client::{PROTOCOL, SocketClient},
    close::{Close, SUSPENDED},
    handler::{SocketHandler, UpgradeContext},
};
use crate::{
    connections::{RequestsFull, UnauthenticatedSocket},
    error::Failure,
    extract::{PresentedCredential, StreamAuth, StreamCredential},
    rejections,
};

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
            let slot = sockets
                .unauthenticated
                .begin(peer)
                .map_err(unauthenticated_full)?;
            upgrade.on_upgrade(async move |mut socket| {
                let _here = (room, open);
                let admitted = context.authenticate(&handler, slot, &mut socket).await;
                if let Some((admitted, credential, _permit)) = admitted {
                    E::run(context, admitted, credential, socket).await;
                }
            })
        }
    })
}

fn unauthenticated_full(full: RequestsFull) -> Failure {
    let detail = match full {
        RequestsFull::All => "too many connected clients have not sent their `auth` frame",
        RequestsFull::Client => {
            "too many connections from this address have not sent their `auth` frame; send it, or give the token in a \
             header or a subprotocol"
        }
    };
    Failure::new(Code::Overloaded, detail)
}

impl UpgradeContext {
    /// Waits for the frame that authenticates the client. `None` if there was none, or an invalid one; the client got
    /// the reason.
    ///
    /// Frees the slot among the unauthenticated as soon as the caller is known and holds a permit of its own: `enter` may
    /// take minutes.
    async fn authenticate<E: SocketHandler>(
        &self,
        handler: &E,
        slot: UnauthenticatedSocket,
        socket: &mut WebSocket,
    ) -> Option<(E::Admitted, StreamCredential, CapacityPermit)> {
        let known = timeout(SOCKET_AUTH_WAIT, self.receive_auth::<E>(socket)).await;
        let admitted = match known.unwrap_or_else(|_| Err(Close::policy("no auth frame was sent")))
        {
            Ok(StreamAuth(insider, credential)) => {
                let caller = insider.caller();
                let admitted = async {
                    let permit = self.permit(&insider)?;
                    drop(slot);
                    let admitted = handler.enter(self, insider).await?;
                    Ok((admitted, credential, permit))
                };
                let admitted: Result<_, Failure> = admitted.await;
                if let (Err(failure), Some(operation)) = (&admitted, E::REFUSED_AS) {
                    let subject = ("session", self.id.uuid());
                    rejections::record_rejection(
                        &self.gateway,
                        &caller,
                        operation,
                        subject,
                        failure,
                    )
                    .await;
                }
                admitted.map_err(|failure| close_for(&failure))
            }
            Err(close) => Err(close),
        };
        match admitted {
            Ok(admitted) => Some(admitted),
            Err(close) => {
                close.send(socket).await;
                None
            }
        }
    }

    async fn receive_auth<E: SocketHandler>(
        &self,
        socket: &mut WebSocket,
    ) -> Result<StreamAuth<Insider>, Close> {
        let text = loop {
            match socket.recv().await {
                Some(Ok(Message::Text(text))) => break text,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Binary(_))) => {
                    return Err(Close::policy("no auth frame was sent"));
                }
                Some(Err(_)) => return Err(self.unreadable()),
                Some(Ok(Message::Close(_))) | None => return Err(Close::Theirs),
            }
        };
        let Ok(ClientMessage::Auth(auth)) = ClientMessage::parse(&text) else {
            return Err(Close::policy("the first frame must be auth"));
        };
        let given = PresentedCredential::Bearer(auth.token.expose());
        let stream_auth = StreamAuth::of(&self.gateway, given, &self.headers, Intent::Change);
        let stream_auth = match E::REFUSED_AS {
            Some(operation) => {
                let subject = ("session", self.id.uuid());
                rejections::run_and_record(&self.gateway, operation, subject, stream_auth).await
            }
            None => stream_auth.await,
        };
        stream_auth.map_err(|failure| close_for(&failure))
    }
}

fn close_for(failure: &Failure) -> Close {
    match failure.code {
        Code::Unauthenticated | Code::TokenExpired => Close::policy("unauthenticated"),
        Code::Forbidden => Close::policy("forbidden"),
        Code::OrganizationSuspended => Close::policy(SUSPENDED),
        Code::NotFound => Close::policy("not found"),
        Code::WrongInstance => Close::WrongInstance,
        _ => Close::Setup,
    }
}
