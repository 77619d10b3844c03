//! Which addresses are public. All others belong to this machine, to a private network, or are unassigned,
//! and a request must not be redirected to them.
//!
//! INVARIANT: an address that embeds others is public only if each of those is, in every interpretation.

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

/// The range that IANA has assigned to the public network. Everything outside is refused without a list: loopback, IPv4
/// compatible (`::/96`), mapped (`::ffff:0:0/96`) and translated (`::ffff:0:0:0/96`), NAT64 of a network's own
/// (`64:ff9b:1::/48`), discard (`100::/64`), segment routing (`5f00::/16`), unique local, link-local, site-local,
/// multicast, and future assignments.
const V6_GLOBAL: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Of those, the ones that are not public.
const V6_RESERVED: &[(Ipv6Addr, u32)] = &[
    // Assigned to protocols: Teredo, which tunnels to any IPv4 address, ORCHID and benchmarks are among them.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    // Documentation.
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// NAT64, outside of the above: public if the IPv4 address at its end is.
const NAT64: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);
/// 6to4: the router that packets go to is the IPv4 address behind the prefix.
const SIX_TO_FOUR: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16);
/// ISATAP, in any network: the bits before the IPv4 address, with and without the bit that marks it as unique.
const ISATAP: [u32; 2] = [0x0000_5efe, 0x0200_5efe];

/// Whether the address belongs to the public network, in every interpretation.
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
    if is_within(address, NAT64) {
        return is_public_v4(embedded(address, 96));
    }
    if !is_within(address, V6_GLOBAL) || V6_RESERVED.iter().any(|of| is_within(address, *of)) {
        return false;
    }
    let is_six_to_four = is_within(address, SIX_TO_FOUR);
    // The 32 bits before the last 32.
    let marker = embedded(address, 64).to_bits();
    let is_isatap = ISATAP.contains(&marker);
    (!is_six_to_four || is_public_v4(embedded(address, 16)))
        && (!is_isatap || is_public_v4(embedded(address, 96)))
}

fn is_within(address: Ipv6Addr, (network, length): (Ipv6Addr, u32)) -> bool {
    let shift = u128::BITS - length;
    address.to_bits() >> shift == network.to_bits() >> shift
}

/// The IPv4 address that starts at this bit.
fn embedded(address: Ipv6Addr, start: u32) -> Ipv4Addr {
    let shift = u128::BITS - start - u32::BITS;
    let mask = u128::from(u32::MAX);
    // The mask leaves 32 bits.
    let bits = u32::try_from((address.to_bits() >> shift) & mask).unwrap_or_default();
    Ipv4Addr::from_bits(bits)
}
