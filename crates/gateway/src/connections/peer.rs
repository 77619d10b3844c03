//! Whose connection or request it is, as far as addresses tell.

use std::net::{IpAddr, Ipv4Addr};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use domain::{limits::FORWARDED_ADDRESSES_MAX, network::Network};

use super::{Link, Loopback};

/// The one header about clients that proxies have in common. `Forwarded` is not read: a proxy that does not know it hands
/// on what the client put there.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Clients that count as one: a client with an IPv6 network of 64 bits has all of its addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Peer {
    Loopback,
    V4(Ipv4Addr),
    V6Network(u64),
}

impl Peer {
    pub(crate) fn of(address: IpAddr, loopback: Loopback) -> Self {
        let address = address.to_canonical();
        if address.is_loopback() && loopback == Loopback::OnePeer {
            return Self::Loopback;
        }
        match address {
            IpAddr::V4(address) => Self::V4(address),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                let [a, b, c, d] = [a, b, c, d].map(u64::from);
                Self::V6Network(a << 48 | b << 32 | c << 16 | d)
            }
        }
    }
}

/// Whose request it is: the connection's peer, or whom a trusted proxy names. `None` where a proxy names none: then only
/// the bound of all clients together holds.
pub(crate) fn client(
    link: &Link,
    headers: &HeaderMap,
    trusted: &[Network],
    loopback: Loopback,
) -> Option<Peer> {
    let is_trusted = |address| trusted.iter().any(|network| network.contains(address));
    let peer = |address| Peer::of(address, loopback);
    if !is_trusted(link.remote) {
        return Some(peer(link.remote));
    }
    let mut client = None;
    // INVARIANT: from the right. What stands to the left of an address that is not a proxy's is the client's invention.
    for text in forwarded(headers) {
        let Some(address) = address(text) else {
            break;
        };
        client = Some(address);
        if !is_trusted(address) {
            break;
        }
    }
    client.map(peer)
}

/// The addresses of the header, the last first.
fn forwarded(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lines: Vec<&HeaderValue> = headers.get_all(FORWARDED_FOR).iter().collect();
    let lines = lines
        .into_iter()
        .rev()
        .filter_map(|line| line.to_str().ok());
    let addresses = lines.flat_map(|line| line.rsplit(',').map(str::trim));
    addresses.take(FORWARDED_ADDRESSES_MAX)
}

/// An address, with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let plain = text.parse().ok();
    let bracketed = || text.strip_prefix('[')?.split_once(']')?.0.parse().ok();
    let with_port = || text.rsplit_once(':')?.0.parse().ok();
    plain.or_else(bracketed).or_else(with_port)
}

/// The headers of a request that is carried on, with the address it came from, as a proxy says it.
pub(crate) fn forwarded_for(headers: &mut HeaderMap, remote: IpAddr) {
    if let Ok(value) = HeaderValue::from_str(&remote.to_canonical().to_string()) {
        headers.append(FORWARDED_FOR, value);
    }
}
