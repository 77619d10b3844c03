//! The egress guard: the only way in which the gateway connects to a service that a policy or an admin
//! has named. An address is checked as text, then resolved once, then every address it resolves to is
//! checked, and the connection goes to exactly those.
//!
//! INVARIANT: a [`Route`] leads to public addresses, or to a host and port that the operator has allowed
//! by name. No redirect is followed, no proxy of the environment is used.

mod address;
mod resolve;
mod trust;

use std::{
    collections::BTreeSet,
    fmt,
    net::{IpAddr, SocketAddr},
    str::FromStr,
    sync::Arc,
    time::Duration,
};

use domain::limits::{
    EGRESS_ADDRESSES_MAX, EGRESS_CONNECT_TIMEOUT, EGRESS_READ_TIMEOUT, EGRESS_RESOLVE_TIMEOUT,
    URL_LENGTH_MAX,
};
use reqwest::{Client, ClientBuilder, Url, redirect::Policy};

pub use self::{
    address::is_public,
    resolve::{Resolve, SystemResolver},
    trust::trusting,
};

/// A host and port that is allowed although it is not public or not https: an operator's own
/// service. Compared exactly, in lower case: `127.0.0.1:9000`, `ocr.internal:443`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AllowedHost {
    host: String,
    port: u16,
}

/// Checks the destinations of requests.
#[derive(Debug, Clone)]
pub struct EgressGuard {
    resolver: Arc<dyn Resolve>,
    allowed: BTreeSet<AllowedHost>,
}

/// A checked address, with its resolved addresses.
#[derive(Debug, Clone)]
pub struct Route {
    url: Url,
    host: String,
    addresses: Vec<SocketAddr>,
}

/// Why a request is not sent. Contains no address: the caller may not be allowed to know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("the address is not a URL")]
    NotAUrl,
    #[error("the address is not https")]
    NotHttps,
    #[error("the address holds a user or a password")]
    HoldsUser,
    #[error("the address is not on the public network")]
    NotPublic,
    #[error("the name cannot be resolved")]
    Unresolved,
    #[error("no client could be made")]
    NoClient,
}

impl EgressGuard {
    pub fn new(resolver: Arc<dyn Resolve>, allowed: impl IntoIterator<Item = AllowedHost>) -> Self {
        let allowed = allowed.into_iter().collect();
        Self { resolver, allowed }
    }

    /// Checks an address and resolves it, once.
    pub async fn check(&self, address: &str) -> Result<Route, Refused> {
        let (url, host, port) = self.check_text(address)?;
        let allowed = self.is_allowed(&host, port);
        let found = match host.trim_matches(['[', ']']).parse::<IpAddr>() {
            Ok(literal) => vec![literal],
            Err(_) => self.resolve(&host).await?,
        };
        // One bad address among good ones is enough: the client may connect to any of them.
        if !allowed && !found.iter().copied().all(is_public) {
            return Err(Refused::NotPublic);
        }
        let addresses = found.iter().map(|ip| SocketAddr::new(*ip, port)).collect();
        Ok(Route {
            url,
            host,
            addresses,
        })
    }

    /// The checks that need no resolver; literal addresses are among them.
    pub fn check_text(&self, address: &str) -> Result<(Url, String, u16), Refused> {
        if address.len() > URL_LENGTH_MAX {
            return Err(Refused::NotAUrl);
        }
        let url = Url::parse(address).map_err(|_| Refused::NotAUrl)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refused::HoldsUser);
        }
        let scheme_is_web = matches!(url.scheme(), "https" | "http");
        let (Some(host), Some(port), true) = (
            url.host_str().map(str::to_owned),
            url.port_or_known_default(),
            scheme_is_web,
        ) else {
            return Err(Refused::NotHttps);
        };
        if self.is_allowed(&host, port) {
            return Ok((url, host, port));
        }
        if url.scheme() != "https" {
            return Err(Refused::NotHttps);
        }
        if is_local_name(&host) {
            return Err(Refused::NotPublic);
        }
        match host.trim_matches(['[', ']']).parse::<IpAddr>() {
            Ok(literal) if !is_public(literal) => Err(Refused::NotPublic),
            _ => Ok((url, host, port)),
        }
    }

    fn is_allowed(&self, host: &str, port: u16) -> bool {
        let host = host.to_owned();
        self.allowed.contains(&AllowedHost { host, port })
    }

    async fn resolve(&self, host: &str) -> Result<Vec<IpAddr>, Refused> {
        let found = tokio::time::timeout(EGRESS_RESOLVE_TIMEOUT, self.resolver.resolve(host));
        match found.await {
            Ok(Ok(found)) if (1..=EGRESS_ADDRESSES_MAX).contains(&found.len()) => Ok(found),
            _ => Err(Refused::Unresolved),
        }
    }
}

impl Route {
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Whether a client created for the other one connects to the same addresses.
    pub fn leads_as(&self, other: &Self) -> bool {
        let places = |route: &Self| route.addresses.iter().copied().collect::<BTreeSet<_>>();
        self.host == other.host && places(self) == places(other)
    }

    /// A client for this route alone. It asks no resolver: the addresses are those that were checked.
    pub fn client(&self, timeout: Duration) -> Result<Client, Refused> {
        made(paused(self.builder(timeout), timeout))
    }

    /// For long transfers in both directions. Nothing is read while it sends, so its pauses are bounded by the
    /// sender and the reader.
    pub fn client_for_streams(&self, timeout: Duration) -> Result<Client, Refused> {
        made(self.builder(timeout).pool_max_idle_per_host(0))
    }

    /// The same, with a new connection for each request. One that was kept and that the service has closed
    /// meanwhile breaks a request so that its effect is unknown.
    pub fn client_without_reuse(&self, timeout: Duration) -> Result<Client, Refused> {
        let builder = paused(self.builder(timeout), timeout);
        made(builder.pool_max_idle_per_host(0))
    }

    fn builder(&self, timeout: Duration) -> ClientBuilder {
        trusting(Client::builder())
            .no_proxy()
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .connect_timeout(EGRESS_CONNECT_TIMEOUT.min(timeout))
            .timeout(timeout)
            .resolve_to_addrs(&self.host, &self.addresses)
    }
}

fn paused(builder: ClientBuilder, timeout: Duration) -> ClientBuilder {
    builder.read_timeout(EGRESS_READ_TIMEOUT.min(timeout))
}

fn made(builder: ClientBuilder) -> Result<Client, Refused> {
    builder.build().map_err(|error| {
        tracing::error!(%error, "no client for a service could be made");
        Refused::NoClient
    })
}

/// Names that denote this machine or its network in any resolver.
fn is_local_name(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    ["localhost", "local", "internal", "home.arpa"]
        .iter()
        .any(|zone| {
            host.strip_suffix(zone)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        })
}

impl FromStr for AllowedHost {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = "must be HOST:PORT in lower case, such as 127.0.0.1:9000";
        let (host, port) = text.rsplit_once(':').ok_or(wrong)?;
        let port = port.parse().ok().filter(|port| *port != 0).ok_or(wrong)?;
        // As a URL spells it, so that equal texts are compared.
        let url = Url::parse(&format!("https://{host}/")).map_err(|_| wrong)?;
        // A star would look like more than the one host it is.
        if url.host_str() != Some(host) || host.contains('*') {
            return Err(wrong);
        }
        let host = host.to_owned();
        Ok(Self { host, port })
    }
}

impl fmt::Display for AllowedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests;
