//! Who is at the door, as far as the request says it.

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
    errand::{Errand, Visit},
};
use crate::{
    connections::{Link, Peer, UnknownSocket, client},
    error::Failure,
    extract::{Given, Standing, Staying, bearer},
    refusals,
    state::Gateway,
};

/// The protocol, as a client offers it and the answer names it.
pub(super) const PROTOCOL: &str = "proliferate.v1";
/// What a client offers with it to say who it is.
const BEARER: &str = "bearer.";

/// Somebody who wants to watch.
pub(crate) enum Visitor {
    Known(Box<Staying<Insider>>),
    /// Of a WebSocket, the first frame says it. Until then it counts as its address, where it has one.
    Unknown(Option<Peer>),
}

impl FromRequestParts<Gateway> for Visitor {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Failure> {
        let headers = &parts.headers;
        let is_upgrade = headers.contains_key(header::UPGRADE);
        let given = match offered(headers).filter(|_| is_upgrade) {
            Some(token) => Given::Bearer(token),
            None if headers.contains_key(header::AUTHORIZATION) => Given::Bearer(bearer(headers)?),
            None => match Given::login(&parts.method, headers, gateway)? {
                Some(login) => login,
                None if is_upgrade => return Ok(Self::Unknown(peer(parts, gateway))),
                None => Given::Bearer(bearer(headers)?),
            },
        };
        let staying = Staying::of(gateway, given, headers).await?;
        staying.take_seat(gateway, parts)?;
        Ok(Self::Known(Box::new(staying)))
    }
}

/// The address that a client without a caller counts as.
fn peer(parts: &Parts, gateway: &Gateway) -> Option<Peer> {
    let link = parts.extensions.get::<Arc<Link>>()?;
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

impl Visit {
    /// Waits for the frame that says who it is. `None` if none came, or the wrong one; the client was told.
    ///
    /// Gives back the place among the `unknown` as soon as the caller is known and holds a permit of its own: `enter` may
    /// take minutes.
    pub(super) async fn introduce<E: Errand>(
        &self,
        errand: &E,
        unknown: UnknownSocket,
        socket: &mut WebSocket,
    ) -> Option<(E::Entered, Standing, CapacityPermit)> {
        let known = timeout(SOCKET_AUTH_WAIT, self.introduced::<E>(socket)).await;
        let entered = match known.unwrap_or_else(|_| Err(Close::policy("no auth frame came"))) {
            Ok(Staying(insider, standing)) => {
                let caller = insider.caller();
                let entered = async {
                    let permit = self.permit(&insider)?;
                    drop(unknown);
                    let entered = errand.enter(self, insider).await?;
                    Ok((entered, standing, permit))
                };
                let entered: Result<_, Failure> = entered.await;
                if let (Err(failure), Some(operation)) = (&entered, E::REFUSED_AS) {
                    let subject = ("session", self.id.uuid());
                    refusals::note(&self.gateway, &caller, operation, subject, failure).await;
                }
                entered.map_err(|failure| closed(&failure))
            }
            Err(close) => Err(close),
        };
        match entered {
            Ok(entered) => Some(entered),
            Err(close) => {
                close.send(socket).await;
                None
            }
        }
    }

    async fn introduced<E: Errand>(
        &self,
        socket: &mut WebSocket,
    ) -> Result<Staying<Insider>, Close> {
        let text = loop {
            match socket.recv().await {
                Some(Ok(Message::Text(text))) => break text,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Binary(_))) => return Err(Close::policy("no auth frame came")),
                Some(Err(_)) => return Err(self.unreadable()),
                Some(Ok(Message::Close(_))) | None => return Err(Close::Theirs),
            }
        };
        let Ok(ClientMessage::Auth(auth)) = ClientMessage::parse(&text) else {
            return Err(Close::policy("the first frame must be auth"));
        };
        let given = Given::Bearer(auth.token.expose());
        let staying = Staying::of(&self.gateway, given, &self.headers);
        let staying = match E::REFUSED_AS {
            Some(operation) => {
                let subject = ("session", self.id.uuid());
                refusals::recorded(&self.gateway, operation, subject, staying).await
            }
            None => staying.await,
        };
        staying.map_err(|failure| closed(&failure))
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
