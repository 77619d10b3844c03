//! The client of a request without a credential, as limits across instances count it: a digest of its address, so that
//! coordination holds no addresses.

use std::{convert::Infallible, sync::Arc};

use axum::{extract::FromRequestParts, http::request::Parts};
use domain::canonical::sha256_hex;

use crate::{
    connections::{ClientConnection, client_of},
    state::Gateway,
};

/// Requests without a connection, which only tests have, count as one client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClientDigest(pub(crate) u128);

impl FromRequestParts<Gateway> for ClientDigest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Infallible> {
        let loopback = gateway.options.people.loopback;
        let connection = parts.extensions.get::<Arc<ClientConnection>>();
        let peer = connection.map(|connection| client_of(connection, &parts.headers, loopback));
        let digest = sha256_hex(format!("client:{peer:?}").as_bytes());
        let half = digest.get(..32).unwrap_or_default();
        Ok(Self(u128::from_str_radix(half, 16).unwrap_or_default()))
    }
}
