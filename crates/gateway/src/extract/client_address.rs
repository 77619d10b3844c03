//! The address of a client without a credential, for limits per client.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};

use axum::{extract::FromRequestParts, http::request::Parts};

use crate::{
    connections::{ClientConnection, Peer, client_of},
    state::Gateway,
};

/// The client of the request: its address, or the network of 64 bits of an IPv6 address.
pub(crate) struct ClientAddress(pub(crate) IpAddr);

impl FromRequestParts<Gateway> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Infallible> {
        let connection = parts.extensions.get::<Arc<ClientConnection>>();
        let loopback = gateway.options.people.loopback;
        let peer = connection.map(|connection| client_of(connection, &parts.headers, loopback));
        // Tests without a socket have no connection, and count as one client.
        let unknown = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        Ok(Self(peer.map_or(unknown, Peer::address)))
    }
}
