//! Who is at the door, as far as the request says it.

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
    error::Failure,
    extract::{Given, Standing, Staying, bearer},
    state::Gateway,
};

/// The protocol, as a client offers it and the answer names it.
pub(super) const PROTOCOL: &str = "proliferate.v1";
/// What a client offers with it to say who it is.
const BEARER: &str = "bearer.";

/// Somebody who wants to watch.
pub(crate) enum Visitor {
    Known(Box<Staying<Insider>>),
    /// Of a WebSocket, the first frame says it.
    Unknown,
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
                None if is_upgrade => return Ok(Self::Unknown),
                None => Given::Bearer(bearer(headers)?),
            },
        };
        let staying = Staying::of(gateway, given, headers).await?;
        staying.take_seat(gateway, parts)?;
        Ok(Self::Known(Box::new(staying)))
    }
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
    pub(super) async fn introduce<E: Errand>(
        &self,
        errand: &E,
        socket: &mut WebSocket,
    ) -> Option<(E::Entered, Standing, CapacityPermit)> {
        let known = match timeout(SOCKET_AUTH_WAIT, self.introduced(socket)).await {
            Ok(known) => known,
            Err(_) => Err(Close::policy("no auth frame came")),
        };
        let entered = match known {
            Ok(Staying(insider, standing)) => match self.permit(&insider) {
                Ok(permit) => errand
                    .enter(self, insider)
                    .await
                    .map(|entered| (entered, standing, permit))
                    .map_err(|failure| closed(&failure)),
                Err(exceeded) => Err(closed(&exceeded.into())),
            },
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

    async fn introduced(&self, socket: &mut WebSocket) -> Result<Staying<Insider>, Close> {
        let text = loop {
            match socket.recv().await {
                Some(Ok(Message::Text(text))) => break text,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Binary(_))) => return Err(Close::policy("no auth frame came")),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Close::Theirs),
            }
        };
        let Ok(ClientMessage::Auth(auth)) = ClientMessage::parse(&text) else {
            return Err(Close::policy("the first frame must be auth"));
        };
        let given = Given::Bearer(auth.token.expose());
        let staying = Staying::of(&self.gateway, given, &self.headers).await;
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
