//! WebSocket authentication, as far as the request carries it.

use std::sync::Arc;

use app::access::Insider;
use axum::{
    extract::{
        FromRequestParts,
        ws::{Message, WebSocket},
    },
    http::{HeaderMap, header, request::Parts},
};
use domain::{capacity::CapacityPermit, limits::SOCKET_AUTH_WAIT};
use tokio::time::timeout;
use wire::{live::ClientMessage, problem::Code};

use super::{
    close::Close,
    handler::{SocketHandler, UpgradeContext},
};
use crate::{
    connections::{ClientConnection, Peer, UnknownSocket, client},
    error::Failure,
    extract::{PresentedCredential, StreamAuth, StreamCredential, bearer},
    refusals,
    state::Gateway,
};

/// The protocol, as a client offers it and the response names it.
pub(super) const PROTOCOL: &str = "proliferate.v1";
/// The subprotocol prefix by which a client sends its token.
const BEARER: &str = "bearer.";

/// The client of an upgrade request.
pub(crate) enum SocketClient {
    Known(Box<StreamAuth<Insider>>),
    /// A WebSocket client that authenticates with the first frame. Until then it counts as its
    /// address, where it has one.
    Unknown(Option<Peer>),
}

impl FromRequestParts<Gateway> for SocketClient {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Failure> {
        let headers = &parts.headers;
        let is_upgrade = headers.contains_key(header::UPGRADE);
        let given = match offered(headers).filter(|_| is_upgrade) {
            Some(token) => PresentedCredential::Bearer(token),
            None if headers.contains_key(header::AUTHORIZATION) => {
                PresentedCredential::Bearer(bearer(headers)?)
            }
            None => match PresentedCredential::login(&parts.method, headers, gateway)? {
                Some(login) => login,
                None if is_upgrade => return Ok(Self::Unknown(peer(parts, gateway))),
                None => PresentedCredential::Bearer(bearer(headers)?),
            },
        };
        let stream_auth = StreamAuth::of(gateway, given, headers).await?;
        stream_auth.acquire_request_permit(gateway, parts)?;
        Ok(Self::Known(Box::new(stream_auth)))
    }
}

/// The address that an unauthenticated client counts as.
fn peer(parts: &Parts, gateway: &Gateway) -> Option<Peer> {
    let link = parts.extensions.get::<Arc<ClientConnection>>()?;
    let loopback = gateway.options.people.loopback;
    Some(client(link, &parts.headers, loopback))
}

/// The token among the subprotocols, if there is one.
fn offered(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).iter();
    all.filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .find_map(|offered| offered.trim().strip_prefix(BEARER))
}

impl UpgradeContext {
    /// Waits for the frame that authenticates the client. `None` if there was none, or an invalid one; the client got
    /// the reason.
    ///
    /// Frees the slot among the `unknown` as soon as the caller is known and holds a permit of its own: `enter` may
    /// take minutes.
    pub(super) async fn authenticate<E: SocketHandler>(
        &self,
        handler: &E,
        unknown: UnknownSocket,
        socket: &mut WebSocket,
    ) -> Option<(E::Admitted, StreamCredential, CapacityPermit)> {
        let known = timeout(SOCKET_AUTH_WAIT, self.receive_auth::<E>(socket)).await;
        let admitted = match known.unwrap_or_else(|_| Err(Close::policy("no auth frame was sent")))
        {
            Ok(StreamAuth(insider, credential)) => {
                let caller = insider.caller();
                let admitted = async {
                    let permit = self.permit(&insider)?;
                    drop(unknown);
                    let admitted = handler.enter(self, insider).await?;
                    Ok((admitted, credential, permit))
                };
                let admitted: Result<_, Failure> = admitted.await;
                if let (Err(failure), Some(operation)) = (&admitted, E::REFUSED_AS) {
                    let subject = ("session", self.id.uuid());
                    refusals::note(&self.gateway, &caller, operation, subject, failure).await;
                }
                admitted.map_err(|failure| closed(&failure))
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
        let stream_auth = StreamAuth::of(&self.gateway, given, &self.headers);
        let stream_auth = match E::REFUSED_AS {
            Some(operation) => {
                let subject = ("session", self.id.uuid());
                refusals::recorded(&self.gateway, operation, subject, stream_auth).await
            }
            None => stream_auth.await,
        };
        stream_auth.map_err(|failure| closed(&failure))
    }
}

fn closed(failure: &Failure) -> Close {
    match failure.code {
        Code::Unauthenticated | Code::TokenExpired => Close::policy("unauthenticated"),
        Code::Forbidden => Close::policy("forbidden"),
        Code::NotFound => Close::policy("not found"),
        Code::WrongInstance => Close::WrongInstance,
        _ => Close::Setup,
    }
}
