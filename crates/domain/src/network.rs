//! A network of addresses: `10.0.0.0/8`, `fd00::/8`, or one address.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
    str::FromStr,
};

/// Addresses that share their first bits. An IPv4 address that is written as IPv6 counts as IPv4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

/// The text is no network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a network, such as `10.0.0.0/8` or `fd00::/8`, and not an address")]
pub struct NotANetwork;

impl Network {
    pub fn contains(&self, address: IpAddr) -> bool {
        let shared = |ours: u128, theirs: u128, width: u8| {
            // A shift by the whole width is not one.
            self.prefix == 0 || (ours ^ theirs) >> (width - self.prefix) == 0
        };
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => {
                shared(u32::from(ours).into(), u32::from(theirs).into(), 32)
            }
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => shared(ours.into(), theirs.into(), 128),
            _ => false,
        }
    }
}

impl Network {
    /// Whether any loopback address of a machine is in the network.
    pub fn has_loopback(&self) -> bool {
        let own = [
            IpAddr::from([127, 0, 0, 1]),
            IpAddr::V6(Ipv6Addr::LOCALHOST),
        ];
        // A network within 127.0.0.0/8 begins there itself.
        self.address.is_loopback() || own.into_iter().any(|address| self.contains(address))
    }
}

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| NotANetwork)?;
        let width = if address.is_ipv4() { 32 } else { 128 };
        let digits = |prefix: &&str| prefix.bytes().all(|byte| byte.is_ascii_digit());
        let prefix = match prefix {
            None => width,
            Some(prefix) => { Some(prefix).filter(digits) }
                .and_then(|prefix| prefix.parse().ok())
                .filter(|prefix| *prefix <= width)
                .ok_or(NotANetwork)?,
        };
        Ok(Self { address, prefix })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_contains_the_addresses_that_share_its_prefix() {
        for (network, address, expected) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.1.1.1", true),
            ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.4", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "::1", false),
            ("::/0", "203.0.113.9", false),
            ("fd00::/8", "fd12::1", true),
            ("fd00::/8", "fe80::1", false),
            ("2001:db8:1:2::/64", "2001:db8:1:2:ffff::1", true),
            ("2001:db8:1:2::/64", "2001:db8:1:3::1", false),
        ] {
            let parsed: Network = network.parse().unwrap();
            let found = parsed.contains(address.parse().unwrap());
            assert_eq!(found, expected, "{network} {address}");
        }
    }

    #[test]
    fn a_network_with_any_loopback_address_has_loopback() {
        for (network, expected) in [
            ("127.0.0.1", true),
            ("127.128.0.7", true),
            ("127.128.0.0/9", true),
            ("0.0.0.0/0", true),
            ("::1", true),
            ("::/0", true),
            ("10.0.0.0/8", false),
            ("128.0.0.0/1", false),
            ("fd00::/8", false),
        ] {
            let parsed: Network = network.parse().unwrap();
            assert_eq!(parsed.has_loopback(), expected, "{network}");
        }
    }

    #[test]
    fn what_is_no_network_is_refused() {
        for text in [
            "",
            "10.0.0.0/33",
            "::/129",
            "10.0.0/8",
            "10.0.0.0/",
            "10.0.0.0/+8",
            "host",
        ] {
            assert_eq!(text.parse::<Network>(), Err(NotANetwork), "{text}");
        }
        assert_eq!(
            "fd00::/8".parse::<Network>().unwrap().to_string(),
            "fd00::/8"
        );
        assert_eq!(
            "10.1.2.3".parse::<Network>().unwrap().to_string(),
            "10.1.2.3/32"
        );
    }
}
