//! Settings that are valid and leave something open together. Unlike the complaints of `validate()` these stop no start: a
//! gateway logs each of them, and `doctor` shows them.

use domain::network::Network;

use crate::{
    coordination::CoordinationUrl, error::Complaint, live::Forward, sandbox::SandboxProvider,
    server::TRUSTED_PROXIES, settings::Settings,
};

impl Settings {
    /// Returns what an operator should change, each with the setting it is about.
    pub fn cautions(&self) -> Vec<Complaint> {
        let trusted = &self.server.trusted_proxies;
        let mut cautions = Vec::new();
        let is_shared = !matches!(self.coordination.url, CoordinationUrl::Memory);
        if is_shared && self.live.forward == Forward::On && trusted.is_empty() {
            cautions.push(Complaint::new(
                TRUSTED_PROXIES.path,
                "is empty: all requests that another instance carries here count as requests of one client",
                "name the networks of the other instances, and of the load balancer if there is one",
            ));
        }
        // `auto` takes the rootless tier where the machine allows no better one.
        let shares_loopback = [SandboxProvider::Rootless, SandboxProvider::Auto];
        if shares_loopback.contains(&self.sandbox.provider)
            && trusted.iter().any(Network::has_loopback)
        {
            cautions.push(Complaint::new(
                TRUSTED_PROXIES.path,
                "has loopback addresses: a sandbox of the rootless tier reaches the listener for people from there, and \
                 its `X-Forwarded-For` is believed",
                "have the proxy connect from another address, or set `sandbox.provider` to `root` or `container`",
            ));
        }
        cautions
    }
}
