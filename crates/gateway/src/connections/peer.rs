//! Clients as they are counted, by their address.

use std::net::{IpAddr, Ipv4Addr};

use super::Loopback;

/// Clients that count as one: a client with an IPv6 network of 64 bits has all of its addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Peer {
    Loopback,
    V4(Ipv4Addr),
    V6Network(u64),
}

/// As a person reads it: the address, or the network that counts as one.
impl std::fmt::Display for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Loopback => f.write_str("the gateway's own machine"),
            Self::V4(address) => address.fmt(f),
            Self::V6Network(network) => {
                let network = std::net::Ipv6Addr::from_bits(u128::from(*network) << 64);
                write!(f, "{network}/64")
            }
        }
    }
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

    /// An address that is the same for all that count as this one.
    pub(crate) fn address(self) -> IpAddr {
        match self {
            Self::Loopback => IpAddr::V4(Ipv4Addr::LOCALHOST),
            Self::V4(address) => IpAddr::V4(address),
            Self::V6Network(network) => IpAddr::V6((u128::from(network) << 64).into()),
        }
    }
}
