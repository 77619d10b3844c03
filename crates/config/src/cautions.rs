//! Settings that are valid and leave something open together. Unlike what `validate()` finds, a caution stops no start: a
//! gateway logs it, and `doctor` shows it.

use domain::network::Network;

use crate::{
    sections::{
        coordination::CoordinationUrl, live::Forwarding, sandbox::SandboxProvider,
        server::TRUSTED_PROXIES,
    },
    settings::Settings,
};

/// What an operator should change, and the setting it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caution {
    pub setting: &'static str,
    pub message: String,
    pub hint: String,
}

impl Caution {
    fn new(setting: &'static str, message: &str, hint: &str) -> Self {
        Self {
            setting,
            message: message.to_owned(),
            hint: hint.to_owned(),
        }
    }
}

impl Settings {
    /// Returns what an operator should change, each with the setting it is about.
    pub fn cautions(&self) -> Vec<Caution> {
        let trusted = &self.server.trusted_proxies;
        let mut cautions = Vec::new();
        let is_shared = !matches!(self.coordination.url, CoordinationUrl::Memory);
        if is_shared && self.live.forward == Forwarding::On && trusted.is_empty() {
            cautions.push(Caution::new(
                TRUSTED_PROXIES.path,
                "is empty: all requests that another instance forwards here count as requests of one client",
                "name the networks of the other instances, and of the load balancer if there is one",
            ));
        }
        // `auto` chooses the rootless tier where the machine allows no better one.
        let shares_loopback = [SandboxProvider::Rootless, SandboxProvider::Auto];
        if shares_loopback.contains(&self.sandbox.provider)
            && trusted.iter().any(Network::has_loopback)
        {
            cautions.push(Caution::new(
                TRUSTED_PROXIES.path,
                "has loopback addresses: a sandbox of the rootless tier reaches the listener for users from there, and \
                 its `X-Forwarded-For` is believed",
                "have the proxy connect from another address, or set `sandbox.provider` to `root` or `container`",
            ));
        }
        cautions
    }
}
