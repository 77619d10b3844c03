//! `[server]`: where the gateway listens and how much it takes on.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use domain::{limits, network::Network};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    env,
    error::{Complaint, Refusal, echo},
    resolve::Resolver,
    setting::Setting,
    url::{HttpUrl, Origin},
    value::{Value, show_duration},
};

pub const LISTEN: Setting = Setting {
    path: "server.listen",
    flag: "--listen",
    env: &[env::LISTEN],
};
pub const ADVERTISE_URL: Setting = Setting {
    path: "server.advertise_url",
    flag: "--advertise-url",
    env: &[env::ADVERTISE_URL],
};
pub const PUBLIC_URL: Setting = Setting {
    path: "server.public_url",
    flag: "--public-url",
    env: &[env::PUBLIC_URL],
};
pub const CORS_ALLOWED_ORIGINS: Setting = Setting {
    path: "server.cors_allowed_origins",
    flag: "--cors-allowed-origins",
    env: &[env::CORS_ALLOWED_ORIGINS],
};
pub const REQUEST_TIMEOUT: Setting = Setting {
    path: "server.request_timeout",
    flag: "--request-timeout",
    env: &[env::REQUEST_TIMEOUT],
};
pub const REQUEST_BODY_BYTES_MAX: Setting = Setting {
    path: "server.request_body_bytes_max",
    flag: "--request-body-bytes-max",
    env: &[env::REQUEST_BODY_BYTES_MAX],
};
pub const REQUESTS_IN_FLIGHT_MAX: Setting = Setting {
    path: "server.requests_in_flight_max",
    flag: "--requests-in-flight-max",
    env: &[env::REQUESTS_IN_FLIGHT_MAX],
};
pub const TRUSTED_PROXIES: Setting = Setting {
    path: "server.trusted_proxies",
    flag: "--trusted-proxies",
    env: &[env::TRUSTED_PROXIES],
};
pub const METRICS_LISTEN: Setting = Setting {
    path: "server.metrics_listen",
    flag: "--metrics-listen",
    env: &[env::METRICS_LISTEN],
};
pub const SHUTDOWN_DRAIN: Setting = Setting {
    path: "server.shutdown_drain",
    flag: "--shutdown-drain",
    env: &[env::SHUTDOWN_DRAIN],
};

/// Loopback alone, until someone decides otherwise.
const LISTEN_DEFAULT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7777);
/// Below this no request could end in time, above it a stuck one would hold its place for too long.
const REQUEST_TIMEOUT_RANGE: [Duration; 2] = [Duration::from_millis(100), Duration::from_mins(10)];
/// A create request must fit; a body is held in memory whole.
const REQUEST_BODY_BYTES_RANGE: [usize; 2] = [4 * 1024, 64 * 1024 * 1024];
/// Each request in flight may hold a body and a socket; most systems allow 65,536 of the latter.
const REQUESTS_IN_FLIGHT_RANGE: [usize; 2] = [1, 50_000];
/// No orchestrator waits longer.
const SHUTDOWN_DRAIN_MAX: Duration = Duration::from_mins(10);
/// Origins of one product's pages; each is compared on every request of a browser.
const ORIGINS_MAX: usize = 100;

/// The gateway's HTTP server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSettings {
    /// Address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// URL at which others reach this instance, if not derived; see [`Self::advertised`].
    pub advertise_url: Option<HttpUrl>,
    /// URL at which people open it in a browser, if not at the advertised one.
    pub public_url: Option<HttpUrl>,
    /// Origins whose pages may call the API.
    pub cors_allowed_origins: Vec<Origin>,
    /// Longest a request may take.
    pub request_timeout: Duration,
    /// Largest request body.
    pub request_body_bytes_max: usize,
    /// Requests served at once.
    pub requests_in_flight_max: usize,
    /// Proxies in front, whose word for whom they speak is believed.
    pub trusted_proxies: Vec<Network>,
    /// Address for measurements alone; absent: they are with everything else.
    pub metrics_listen: Option<SocketAddr>,
    /// How long a shutdown waits for requests under way.
    pub shutdown_drain: Duration,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            listen: LISTEN_DEFAULT,
            advertise_url: None,
            public_url: None,
            cors_allowed_origins: Vec::new(),
            request_timeout: limits::REQUEST_TIMEOUT,
            request_body_bytes_max: limits::REQUEST_BODY_BYTES_MAX,
            requests_in_flight_max: limits::REQUESTS_IN_FLIGHT_MAX,
            trusted_proxies: Vec::new(),
            metrics_listen: None,
            shutdown_drain: limits::SHUTDOWN_DRAIN,
        }
    }
}

impl ServerSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, file: ServerFile) -> Self {
        let default = Self::default();
        Self {
            listen: resolver.value(&LISTEN, file.listen, default.listen),
            advertise_url: resolver.optional(
                &ADVERTISE_URL,
                file.advertise_url,
                "(from the address it listens on)",
            ),
            public_url: resolver.optional(&PUBLIC_URL, file.public_url, "(the advertised one)"),
            cors_allowed_origins: resolver
                .value(
                    &CORS_ALLOWED_ORIGINS,
                    file.cors_allowed_origins,
                    Origins::default(),
                )
                .0,
            request_timeout: resolver.value(
                &REQUEST_TIMEOUT,
                file.request_timeout,
                default.request_timeout,
            ),
            request_body_bytes_max: resolver.value(
                &REQUEST_BODY_BYTES_MAX,
                file.request_body_bytes_max,
                default.request_body_bytes_max,
            ),
            requests_in_flight_max: resolver.value(
                &REQUESTS_IN_FLIGHT_MAX,
                file.requests_in_flight_max,
                default.requests_in_flight_max,
            ),
            trusted_proxies: resolver
                .value(&TRUSTED_PROXIES, file.trusted_proxies, Networks::default())
                .0,
            metrics_listen: resolver.optional(
                &METRICS_LISTEN,
                file.metrics_listen,
                "(with everything else)",
            ),
            shutdown_drain: resolver.value(
                &SHUTDOWN_DRAIN,
                file.shutdown_drain,
                default.shutdown_drain,
            ),
        }
    }

    pub fn validate(&self) -> Vec<Complaint> {
        let mut complaints = Vec::new();
        let [min, max] = REQUEST_TIMEOUT_RANGE;
        complaints.extend(duration_range(
            &REQUEST_TIMEOUT,
            self.request_timeout,
            min,
            max,
        ));
        complaints.extend(duration_range(
            &SHUTDOWN_DRAIN,
            self.shutdown_drain,
            Duration::ZERO,
            SHUTDOWN_DRAIN_MAX,
        ));
        let [min, max] = REQUEST_BODY_BYTES_RANGE;
        complaints.extend(range(
            &REQUEST_BODY_BYTES_MAX,
            self.request_body_bytes_max,
            min,
            max,
        ));
        let [min, max] = REQUESTS_IN_FLIGHT_RANGE;
        complaints.extend(range(
            &REQUESTS_IN_FLIGHT_MAX,
            self.requests_in_flight_max,
            min,
            max,
        ));
        if self.trusted_proxies.len() > limits::TRUSTED_PROXIES_MAX {
            complaints.push(Complaint::new(
                TRUSTED_PROXIES.path,
                format!("has {} entries", self.trusted_proxies.len()),
                format!("list at most {} networks", limits::TRUSTED_PROXIES_MAX),
            ));
        }
        if self.cors_allowed_origins.len() > ORIGINS_MAX {
            complaints.push(Complaint::new(
                CORS_ALLOWED_ORIGINS.path,
                format!("has {} entries", self.cors_allowed_origins.len()),
                format!("list at most {ORIGINS_MAX} origins"),
            ));
        }
        complaints
    }

    /// The URL to tell others, given the address that was really bound. An address that means
    /// "every interface" is no destination, so the loopback one of its family stands in.
    pub fn advertised(&self, bound: SocketAddr) -> String {
        if let Some(url) = &self.advertise_url {
            return url.as_str().to_owned();
        }
        let ip = match bound.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        format!("http://{}", SocketAddr::new(ip, bound.port()))
    }
}

/// `[server]` of the file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServerFile {
    /// Address and port to listen on; port 0 takes a free one. Default `127.0.0.1:7777`.
    listen: Option<String>,
    /// URL at which other instances and sandboxes reach this instance. Default: from the address it
    /// listens on.
    advertise_url: Option<String>,
    /// URL at which people open the gateway in a browser, such as that of a load balancer. Default: the advertised
    /// one.
    public_url: Option<String>,
    /// Origins whose pages may call the API. Default: none.
    cors_allowed_origins: Option<Vec<String>>,
    /// Longest a request may take. Default `30s`.
    request_timeout: Option<String>,
    /// Largest request body in bytes. Default 1048576.
    request_body_bytes_max: Option<u64>,
    /// Requests served at once, once for people and once more for sandboxes; more are refused with 503. Default 1024.
    requests_in_flight_max: Option<u64>,
    /// Networks of the proxies in front, such as `10.0.0.0/8`: their connections are not counted as one client's, and
    /// their `X-Forwarded-For` says whom they speak for. Default: none.
    trusted_proxies: Option<Vec<String>>,
    /// Address and port for `/metrics` alone, which is then nowhere else. Default: with everything else.
    metrics_listen: Option<String>,
    /// How long a shutdown waits for requests under way. Default `20s`.
    shutdown_drain: Option<String>,
}

/// A list separated by commas.
#[derive(Default)]
struct Origins(Vec<Origin>);

impl Value for Origins {
    fn parse(text: &str) -> Result<Self, Refusal> {
        let entries = text
            .split(',')
            .map(str::trim)
            .filter(|entry| !entry.is_empty());
        entries
            .map(Origin::parse)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    fn show(&self) -> String {
        if self.0.is_empty() {
            return "(none)".to_owned();
        }
        let shown: Vec<&str> = self.0.iter().map(Origin::as_str).collect();
        shown.join(",")
    }
}

/// A list separated by commas.
#[derive(Default)]
struct Networks(Vec<Network>);

impl Value for Networks {
    fn parse(text: &str) -> Result<Self, Refusal> {
        let entries = text
            .split(',')
            .map(str::trim)
            .filter(|entry| !entry.is_empty());
        let parse = |entry: &str| {
            entry.parse().map_err(|_| {
                Refusal::new(
                    format!("has {}, which is not a network", echo(entry)),
                    "write networks or addresses, such as `10.0.0.0/8,192.0.2.7`",
                )
            })
        };
        entries.map(parse).collect::<Result<_, _>>().map(Self)
    }

    fn show(&self) -> String {
        if self.0.is_empty() {
            return "(none)".to_owned();
        }
        let shown: Vec<String> = self.0.iter().map(Network::to_string).collect();
        shown.join(",")
    }
}

/// Complains about a number outside of its bounds.
pub(crate) fn range<T: Copy + PartialOrd + std::fmt::Display>(
    setting: &Setting,
    value: T,
    min: T,
    max: T,
) -> Option<Complaint> {
    (value < min || value > max).then(|| {
        Complaint::new(
            setting.path,
            format!("is {value}"),
            format!("write a number from {min} to {max}"),
        )
    })
}

/// Complains about a duration outside of its bounds.
pub(crate) fn duration_range(
    setting: &Setting,
    value: Duration,
    min: Duration,
    max: Duration,
) -> Option<Complaint> {
    (value < min || value > max).then(|| {
        Complaint::new(
            setting.path,
            format!("is {}", show_duration(value)),
            format!(
                "write a duration from {} to {}",
                show_duration(min),
                show_duration(max)
            ),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advertised_url_is_a_destination() {
        let settings = ServerSettings::default();
        for (bound, expected) in [
            ("127.0.0.1:7777", "http://127.0.0.1:7777"),
            ("0.0.0.0:80", "http://127.0.0.1:80"),
            ("[::]:80", "http://[::1]:80"),
            ("10.1.2.3:9", "http://10.1.2.3:9"),
        ] {
            assert_eq!(settings.advertised(bound.parse().unwrap()), expected);
        }
        let settings = ServerSettings {
            advertise_url: Some(HttpUrl::parse("https://gw.example.com/").unwrap()),
            ..settings
        };
        let bound = "0.0.0.0:80".parse().unwrap();
        assert_eq!(settings.advertised(bound), "https://gw.example.com");
    }

    #[test]
    fn proxies_are_networks_or_addresses() {
        let networks = Networks::parse("10.0.0.0/8, ::1").unwrap();
        assert_eq!(networks.show(), "10.0.0.0/8,::1/128");
        assert_eq!(Networks::parse("").unwrap().show(), "(none)");
        assert!(Networks::parse("10.0.0.0/8,proxy").is_err());
    }

    #[test]
    fn the_defaults_are_valid() {
        assert_eq!(ServerSettings::default().validate(), []);
    }
}
