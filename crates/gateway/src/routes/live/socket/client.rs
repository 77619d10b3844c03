//! WebSocket authentication, as far as the request carries it.

use std::sync::Arc;

use app::{access::Insider, identity::Intent};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};

use crate::{
    connections::{ClientConnection, Peer, client_of},
    error::Failure,
    extract::{PresentedCredential, StreamAuth, bearer},
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
        // A program in the sandbox answers a preview, also of a GET.
        let stream_auth = StreamAuth::of(gateway, given, headers, Intent::Change).await?;
        stream_auth.acquire_request_permit(gateway, parts)?;
        Ok(Self::Known(Box::new(stream_auth)))
    }
}

/// The address that an unauthenticated client counts as.
fn peer(parts: &Parts, gateway: &Gateway) -> Option<Peer> {
    let connection = parts.extensions.get::<Arc<ClientConnection>>()?;
    let loopback = gateway.options.people.loopback;
    Some(client_of(connection, &parts.headers, loopback))
}

/// The token among the subprotocols, if there is one.
fn offered(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).iter();
    all.filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .find_map(|offered| offered.trim().strip_prefix(BEARER))
}
