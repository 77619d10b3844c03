//! Which addresses are public. Everything else belongs to this machine, to a network somebody trusts, or
//! to nobody, and a request must not be talked into going there.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Ranges that are not public: network and length of its prefix. From the special-purpose registries of
/// IANA, and those that forward to another address.
const V4_RESERVED: &[(Ipv4Addr, u32)] = &[
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

const V6_RESERVED: &[(Ipv6Addr, u32)] = &[
    // Unspecified, loopback, and addresses that only stand for an IPv4 one.
    (Ipv6Addr::UNSPECIFIED, 96),
    (Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96),
    // Locally translated (NAT64 of a network's own).
    (Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48),
    // Discard-only.
    (Ipv6Addr::new(0x100, 0, 0, 0, 0, 0, 0, 0), 64),
    // Assigned to protocols; Teredo, which tunnels to any IPv4 address, is among them.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    // Documentation.
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
    // Segment routing.
    (Ipv6Addr::new(0x5f00, 0, 0, 0, 0, 0, 0, 0), 16),
    // Unique local, link-local, site-local, multicast.
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8),
];

/// Ranges whose addresses hold an IPv4 address that packets end up at: network, prefix, and where the
/// IPv4 address begins, in bits.
const V6_EMBEDDING: &[(Ipv6Addr, u32, u32)] = &[
    // NAT64.
    (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96, 96),
    // 6to4.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, 16),
];

/// Whether the address is one of the public network, by every way of reading it.
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let within = |(network, length): &(Ipv4Addr, u32)| {
        let shift = u32::BITS - length;
        address.to_bits() >> shift == network.to_bits() >> shift
    };
    !V4_RESERVED.iter().any(within)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let bits = address.to_bits();
    let within = |network: Ipv6Addr, length: u32| {
        let shift = u128::BITS - length;
        bits >> shift == network.to_bits() >> shift
    };
    for (network, length, start) in V6_EMBEDDING {
        if within(*network, *length) {
            let shift = u128::BITS - start - u32::BITS;
            let mask = u128::from(u32::MAX);
            // The mask leaves 32 bits.
            let embedded = u32::try_from((bits >> shift) & mask).unwrap_or_default();
            return is_public_v4(Ipv4Addr::from_bits(embedded));
        }
    }
    !V6_RESERVED
        .iter()
        .any(|(network, length)| within(*network, *length))
}
