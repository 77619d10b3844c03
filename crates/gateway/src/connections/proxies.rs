//! The proxies in front of one listener: their connections carry many clients, and their `X-Forwarded-For` is read.

use std::net::IpAddr;

use domain::network::Network;

/// Decides which remote addresses are proxies.
#[derive(Debug, Clone)]
pub(crate) struct Proxies {
    networks: Vec<Network>,
    may_be_loopback: bool,
}

impl Proxies {
    /// The proxies of the user listener.
    pub(crate) fn of_people(networks: &[Network]) -> Self {
        Self {
            networks: networks.to_vec(),
            may_be_loopback: true,
        }
    }

    /// The proxies of the sandbox listener.
    ///
    /// INVARIANT: no loopback address is one of them, whatever the settings trust: sandboxes connect from there.
    pub(crate) fn of_sandboxes(networks: &[Network]) -> Self {
        Self {
            networks: networks.to_vec(),
            may_be_loopback: false,
        }
    }

    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        if !self.may_be_loopback && address.to_canonical().is_loopback() {
            return false;
        }
        self.networks
            .iter()
            .any(|network| network.contains(address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_a_proxy_of_people_alone() {
        let networks = ["127.0.0.0/8", "::1", "10.0.0.0/8"].map(|text| text.parse().unwrap());
        let (people, sandboxes) = (
            Proxies::of_people(&networks),
            Proxies::of_sandboxes(&networks),
        );
        for (address, of_people, of_sandboxes) in [
            ("127.0.0.1", true, false),
            ("127.128.0.7", true, false),
            ("::ffff:127.0.0.1", true, false),
            ("::1", true, false),
            ("10.1.2.3", true, true),
            ("192.0.2.1", false, false),
        ] {
            let address = address.parse().unwrap();
            assert_eq!(people.contains(address), of_people, "{address}");
            assert_eq!(sandboxes.contains(address), of_sandboxes, "{address}");
        }
    }
}
