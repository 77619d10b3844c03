//! `[server]`: where the gateway listens and how much it takes on.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use domain::{limits, network::Network};

use crate::{
    invalid::InvalidSetting,
    resolve::Resolver,
    setting::{DefaultValue, EnvVar, Section, SectionEntry, Setting, ValueKind},
    value::{
        bounds::{check_count, check_duration_range, check_range},
        url::{HttpUrl, Origin},
    },
};

pub const LISTEN: Setting = Setting {
    path: "server.listen",
    flag: "--listen",
    env: &[EnvVar::new("PROLIFERATE_LISTEN", "0.1.0")],
    kind: ValueKind::Address,
    // Loopback alone, until an operator decides otherwise.
    default: DefaultValue::Text("127.0.0.1:7777"),
    help: "Address and port to listen on; port 0 takes a free one.",
};
pub const ADVERTISE_URL: Setting = Setting {
    path: "server.advertise_url",
    flag: "--advertise-url",
    env: &[EnvVar::new("PROLIFERATE_ADVERTISE_URL", "0.1.0")],
    kind: ValueKind::Url,
    default: DefaultValue::Absent("from the address it listens on"),
    help: "URL at which other instances and sandboxes reach this instance.",
};
pub const PUBLIC_URL: Setting = Setting {
    path: "server.public_url",
    flag: "--public-url",
    env: &[EnvVar::new("PROLIFERATE_PUBLIC_URL", "0.1.0")],
    kind: ValueKind::Url,
    default: DefaultValue::Absent("the advertised one"),
    help: "URL at which users open the gateway in a browser, such as that of a load balancer.",
};
pub const CORS_ALLOWED_ORIGINS: Setting = Setting {
    path: "server.cors_allowed_origins",
    flag: "--cors-allowed-origins",
    env: &[EnvVar::new("PROLIFERATE_CORS_ALLOWED_ORIGINS", "0.1.0")],
    kind: ValueKind::Urls,
    default: DefaultValue::Text(""),
    help: "Origins whose pages may call the API.",
};
pub const REQUEST_TIMEOUT: Setting = Setting {
    path: "server.request_timeout",
    flag: "--request-timeout",
    env: &[EnvVar::new("PROLIFERATE_REQUEST_TIMEOUT", "0.1.0")],
    kind: ValueKind::Duration,
    default: DefaultValue::Duration(limits::REQUEST_TIMEOUT),
    help: "Longest a request may take.",
};
pub const REQUEST_BODY_BYTES_MAX: Setting = Setting {
    path: "server.request_body_bytes_max",
    flag: "--request-body-bytes-max",
    env: &[EnvVar::new("PROLIFERATE_REQUEST_BODY_BYTES_MAX", "0.1.0")],
    kind: ValueKind::Number,
    default: DefaultValue::Number(limits::REQUEST_BODY_BYTES_MAX),
    help: "Largest request body in bytes.",
};
pub const REQUESTS_IN_FLIGHT_MAX: Setting = Setting {
    path: "server.requests_in_flight_max",
    flag: "--requests-in-flight-max",
    env: &[EnvVar::new("PROLIFERATE_REQUESTS_IN_FLIGHT_MAX", "0.1.0")],
    kind: ValueKind::Number,
    default: DefaultValue::Number(limits::REQUESTS_IN_FLIGHT_MAX),
    help: "Requests served at once, once for users and once more for sandboxes; more are refused with 503.",
};
pub const TRUSTED_PROXIES: Setting = Setting {
    path: "server.trusted_proxies",
    flag: "--trusted-proxies",
    env: &[EnvVar::new("PROLIFERATE_TRUSTED_PROXIES", "0.1.0")],
    kind: ValueKind::Networks,
    default: DefaultValue::Text(""),
    help: "Networks of the proxies in front, such as `10.0.0.0/8`: their connections are not counted as one client's, \
           and their `X-Forwarded-For` names the client.",
};
pub const METRICS_LISTEN: Setting = Setting {
    path: "server.metrics_listen",
    flag: "--metrics-listen",
    env: &[EnvVar::new("PROLIFERATE_METRICS_LISTEN", "0.1.0")],
    kind: ValueKind::Address,
    default: DefaultValue::Absent("with everything else"),
    help: "Address and port for `/metrics` alone, which is then nowhere else.",
};
pub const SHUTDOWN_DRAIN: Setting = Setting {
    path: "server.shutdown_drain",
    flag: "--shutdown-drain",
    env: &[EnvVar::new("PROLIFERATE_SHUTDOWN_DRAIN", "0.1.0")],
    kind: ValueKind::Duration,
    default: DefaultValue::Duration(limits::SHUTDOWN_DRAIN),
    help: "How long a shutdown waits for requests under way.",
};

pub(crate) const SECTION: Section = Section {
    name: "server",
    heading: "Server",
    entries: &[
        SectionEntry::Open(LISTEN),
        SectionEntry::Open(ADVERTISE_URL),
        SectionEntry::Open(PUBLIC_URL),
        SectionEntry::Open(CORS_ALLOWED_ORIGINS),
        SectionEntry::Open(REQUEST_TIMEOUT),
        SectionEntry::Open(REQUEST_BODY_BYTES_MAX),
        SectionEntry::Open(REQUESTS_IN_FLIGHT_MAX),
        SectionEntry::Open(TRUSTED_PROXIES),
        SectionEntry::Open(METRICS_LISTEN),
        SectionEntry::Open(SHUTDOWN_DRAIN),
    ],
    other_variables: &[],
};

/// Below this no request could end in time, above it a stuck one would occupy a slot for too long.
const REQUEST_TIMEOUT_RANGE: [Duration; 2] = [Duration::from_millis(100), Duration::from_mins(10)];
/// A create request must fit; a body is held in memory whole.
const REQUEST_BODY_BYTES_RANGE: [usize; 2] = [4 * 1024, 64 * 1024 * 1024];
/// Each request in flight may hold a body and a socket; most systems allow 65,536 of the latter.
const REQUESTS_IN_FLIGHT_RANGE: [usize; 2] = [1, 50_000];
/// No orchestrator waits longer.
const SHUTDOWN_DRAIN_RANGE: [Duration; 2] = [Duration::ZERO, Duration::from_mins(10)];
/// Origins of one product's pages; each is compared on every request of a browser.
const ORIGINS_MAX: usize = 100;

/// The gateway's HTTP server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSettings {
    /// Port 0 takes a free one.
    pub listen: SocketAddr,
    /// Absent: derived, see [`Self::advertised`].
    pub advertise_url: Option<HttpUrl>,
    /// Absent: the advertised one.
    pub public_url: Option<HttpUrl>,
    pub cors_allowed_origins: Vec<Origin>,
    pub request_timeout: Duration,
    pub request_body_bytes_max: usize,
    pub requests_in_flight_max: usize,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// Absent: measurements are with everything else.
    pub metrics_listen: Option<SocketAddr>,
    pub shutdown_drain: Duration,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Resolver::defaults(Self::resolve)
    }
}

impl ServerSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>) -> Self {
        Self {
            listen: resolver.value(&LISTEN),
            advertise_url: resolver.optional(&ADVERTISE_URL),
            public_url: resolver.optional(&PUBLIC_URL),
            cors_allowed_origins: resolver.value(&CORS_ALLOWED_ORIGINS),
            request_timeout: resolver.value(&REQUEST_TIMEOUT),
            request_body_bytes_max: resolver.value(&REQUEST_BODY_BYTES_MAX),
            requests_in_flight_max: resolver.value(&REQUESTS_IN_FLIGHT_MAX),
            trusted_proxies: resolver.value(&TRUSTED_PROXIES),
            metrics_listen: resolver.optional(&METRICS_LISTEN),
            shutdown_drain: resolver.value(&SHUTDOWN_DRAIN),
        }
    }

    pub fn validate(&self) -> Vec<InvalidSetting> {
        let (proxies, origins) = (self.trusted_proxies.len(), self.cors_allowed_origins.len());
        let (body, in_flight) = (self.request_body_bytes_max, self.requests_in_flight_max);
        let found = [
            check_duration_range(
                &REQUEST_TIMEOUT,
                self.request_timeout,
                REQUEST_TIMEOUT_RANGE,
            ),
            check_duration_range(&SHUTDOWN_DRAIN, self.shutdown_drain, SHUTDOWN_DRAIN_RANGE),
            check_range(&REQUEST_BODY_BYTES_MAX, body, REQUEST_BODY_BYTES_RANGE),
            check_range(&REQUESTS_IN_FLIGHT_MAX, in_flight, REQUESTS_IN_FLIGHT_RANGE),
            check_count(
                &TRUSTED_PROXIES,
                proxies,
                limits::TRUSTED_PROXIES_MAX,
                "networks",
            ),
            check_count(&CORS_ALLOWED_ORIGINS, origins, ORIGINS_MAX, "origins"),
        ];
        found.into_iter().flatten().collect()
    }

    /// The URL to advertise, given the address that was really bound. An address that means
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::SettingValue as _;

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
    fn the_defaults_are_valid() {
        assert_eq!(ServerSettings::default().validate(), []);
    }
}
