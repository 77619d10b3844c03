//! The client of a request: the peer of its connection, or the address that a proxy names.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use domain::limits::FORWARDED_ADDRESSES_MAX;

use super::{ClientConnection, Loopback, Peer};

/// The one header about clients that proxies have in common. `Forwarded` is not read: a proxy that does not know it
/// passes on the client's own value.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Returns the client of a request: the connection's peer, or the address that a proxy names.
///
/// INVARIANT: every request on a connection has a client. Where a proxy names no valid address, the client is the last
/// known proxy, so that no spelling of the header evades the limit per client.
pub(crate) fn client_of(
    connection: &ClientConnection,
    headers: &HeaderMap,
    loopback: Loopback,
) -> Peer {
    let mut client = connection.remote;
    if connection.is_proxy() {
        // INVARIANT: from the right. Everything to the left of an address that is not a proxy's may be forged by the
        // client.
        for piece in forwarded_addresses(headers) {
            let Some(address) = parse_address(piece) else {
                break;
            };
            client = address;
            if !connection.proxies.contains(address) {
                break;
            }
        }
    }
    Peer::of(client, loopback)
}

/// The elements of the header, the last first. Each is decoded separately: a client can put any byte into its own
/// element, and a proxy appends to it.
fn forwarded_addresses(headers: &HeaderMap) -> impl Iterator<Item = &[u8]> {
    let lines: Vec<&HeaderValue> = headers.get_all(FORWARDED_FOR).iter().collect();
    let lines = lines.into_iter().rev();
    let pieces = lines.flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','));
    pieces.take(FORWARDED_ADDRESSES_MAX)
}

/// Parses an address, with or without a port.
fn parse_address(piece: &[u8]) -> Option<IpAddr> {
    let text = str::from_utf8(piece).ok()?.trim();
    let plain = text.parse().ok();
    let bracketed = || text.strip_prefix('[')?.split_once(']')?.0.parse().ok();
    let with_port = || text.rsplit_once(':')?.0.parse().ok();
    plain.or_else(bracketed).or_else(with_port)
}

/// Adds the address that a request came from to the headers with which it is forwarded to another instance, as a proxy
/// does.
///
/// INVARIANT: addresses from the client's own header are not passed on. The other instance trusts this one, and may
/// have the client's own address among its proxies.
pub(crate) fn add_forwarded_for(headers: &mut HeaderMap, connection: &ClientConnection) {
    if !connection.is_proxy() {
        headers.remove(FORWARDED_FOR);
    }
    if let Ok(value) = HeaderValue::from_str(&connection.remote.to_canonical().to_string()) {
        headers.append(FORWARDED_FOR, value);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use app::system::SystemClock;

    use super::{
        super::{ConnectionBounds, Connections, Proxies},
        *,
    };

    #[test]
    fn addresses_that_a_client_wrote_itself_are_not_handed_on() {
        let networks = ["127.0.0.0/8", "10.0.0.0/8"].map(|text| text.parse().unwrap());
        for (proxies, remote, expected) in [
            (Proxies::of_sandboxes(&networks), "127.0.0.1", "127.0.0.1"),
            (Proxies::of_people(&networks), "192.0.2.1", "192.0.2.1"),
            (
                Proxies::of_people(&networks),
                "10.1.2.3",
                "203.0.113.5,10.1.2.3",
            ),
        ] {
            let clock = Arc::new(SystemClock::new());
            let connections = Connections::new("x", ConnectionBounds::people(), proxies, clock);
            let place = connections.admit(remote.parse().unwrap()).unwrap();
            let mut headers = HeaderMap::new();
            headers.append(FORWARDED_FOR, HeaderValue::from_static("203.0.113.5"));
            add_forwarded_for(&mut headers, &place.connection);
            let lines = headers.get_all(FORWARDED_FOR).iter();
            let lines: Vec<_> = lines.map(|line| line.to_str().unwrap()).collect();
            assert_eq!(lines.join(","), expected, "{remote}");
        }
    }
}
