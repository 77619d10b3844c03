//! `[sandbox]`: where agents run, and how sandboxes and gateways reach each other.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use domain::limits::{SANDBOX_LIFETIME_MAX, SANDBOX_LIFETIME_MIN};

use crate::{
    invalid::{InvalidSetting, InvalidValue},
    resolve::Resolver,
    setting::{DefaultValue, EnvVar, Section, SectionEntry, Setting, ValueKind},
    value::{SettingValue, bounds::check_duration_range, word_values},
};

pub const PROVIDER: Setting = Setting {
    path: "sandbox.provider",
    flag: "--sandbox-provider",
    env: &[EnvVar::new("PROLIFERATE_SANDBOX_PROVIDER", "0.1.0")],
    kind: ValueKind::Choice("auto|root|rootless|container|off"),
    default: DefaultValue::Text("auto"),
    help: "`auto` for the best sandboxes that this machine allows, `root`, `rootless`, `container`, or `off` for none.",
};
pub const DIRECTORY: Setting = Setting {
    path: "sandbox.directory",
    flag: "--sandbox-directory",
    env: &[EnvVar::new("PROLIFERATE_SANDBOX_DIRECTORY", "0.1.0")],
    kind: ValueKind::Directory,
    default: DefaultValue::Computed("`sandboxes` in the data directory"),
    help: "Directory of local sandboxes and their snapshots.",
};
pub const AGENT_DIRECTORY: Setting = Setting {
    path: "sandbox.agent_directory",
    flag: "--agent-directory",
    env: &[EnvVar::new("PROLIFERATE_AGENT_DIRECTORY", "0.1.0")],
    kind: ValueKind::Directory,
    default: DefaultValue::Absent("that of the source tree"),
    help: "`node_modules` directory with the agent.",
};
pub const CONTAINER_SOCKET: Setting = Setting {
    path: "sandbox.container_socket",
    flag: "--sandbox-container-socket",
    env: &[
        EnvVar::new("PROLIFERATE_SANDBOX_CONTAINER_SOCKET", "0.1.0"),
        EnvVar::new("DOCKER_HOST", "0.1.0"),
    ],
    kind: ValueKind::Text,
    default: DefaultValue::Absent("the first usual one"),
    help: "Socket of Docker or podman, as a path or `unix://` and a path.",
};
pub const CONTAINER_IMAGE: Setting = Setting {
    path: "sandbox.container_image",
    flag: "--sandbox-container-image",
    env: &[EnvVar::new("PROLIFERATE_SANDBOX_CONTAINER_IMAGE", "0.1.0")],
    kind: ValueKind::Text,
    default: DefaultValue::Text(DEFAULT_CONTAINER_IMAGE),
    help: "Image that containers begin with; `scripts/container-image.sh` makes the default one.",
};
pub const LISTEN: Setting = Setting {
    path: "sandbox.listen",
    flag: "--sandbox-listen",
    env: &[EnvVar::new("PROLIFERATE_SANDBOX_LISTEN", "0.1.0")],
    kind: ValueKind::Address,
    default: DefaultValue::Absent("beside that for users"),
    help: "Address and port at which sandboxes reach this instance, apart from users; if not set, on loopback and a \
           thousand above the port of `server.listen`.",
};
pub const GATEWAY_ADDRESS: Setting = Setting {
    path: "sandbox.gateway_address",
    flag: "--sandbox-gateway-address",
    env: &[EnvVar::new("PROLIFERATE_SANDBOX_GATEWAY_ADDRESS", "0.1.0")],
    kind: ValueKind::Address,
    default: DefaultValue::Absent("that of this instance"),
    help: "Address and port at which sandboxes reach gateways. With several instances that of a load balancer, so that \
           a sandbox outlives the instance that made it.",
};
pub const LIFETIME: Setting = Setting {
    path: "sandbox.lifetime",
    flag: "--sandbox-lifetime",
    env: &[
        EnvVar::new("PROLIFERATE_SANDBOX_LIFETIME", "0.1.0"),
        EnvVar::differing("SANDBOX_TIMEOUT_SECONDS", "0.1.0", "The same in seconds"),
    ],
    kind: ValueKind::Duration,
    default: DefaultValue::Absent("none"),
    help: "How long a sandbox lives, such as `1h`, from `10m` on. Its session is moved to a fresh one five minutes \
           before, with its files and its conversation. Without a lifetime a sandbox lives as long as its session needs it.",
};

pub(crate) const SECTION: Section = Section {
    name: "sandbox",
    heading: "Sandboxes",
    entries: &[
        SectionEntry::Open(PROVIDER),
        SectionEntry::Open(DIRECTORY),
        SectionEntry::Open(AGENT_DIRECTORY),
        SectionEntry::Open(CONTAINER_SOCKET),
        SectionEntry::Open(CONTAINER_IMAGE),
        SectionEntry::Open(LISTEN),
        SectionEntry::Open(GATEWAY_ADDRESS),
        SectionEntry::Open(LIFETIME),
    ],
    other_variables: &[],
};

/// What `scripts/container-image.sh` makes.
pub const DEFAULT_CONTAINER_IMAGE: &str = "localhost/proliferate-sandbox:latest";

/// From the port for users to that for sandboxes: far enough that several gateways at neighbouring ports do not meet.
const PORT_DISTANCE: u16 = 1000;
const LIFETIME_RANGE: [Duration; 2] = [SANDBOX_LIFETIME_MIN, SANDBOX_LIFETIME_MAX];

/// Which sandboxes there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SandboxProvider {
    /// The best that this machine allows.
    Auto,
    /// Local ones with a network and limits of their own; needs root.
    Root,
    /// Local ones without.
    Rootless,
    /// Containers of Docker or podman. `auto` never chooses them.
    Container,
    /// None: sessions are recorded and no agent runs.
    Off,
}

word_values!(
    SandboxProvider {
        "auto" => Auto,
        "root" => Root,
        "rootless" => Rootless,
        "container" => Container,
        "off" => Off,
    },
    "write `auto`, `root`, `rootless`, `container` or `off`"
);

/// The socket of a container engine as an operator writes it: a path, or `unix://` and a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSocket(String);

impl EngineSocket {
    /// Absent for a socket of another machine, as `DOCKER_HOST` may name for other programs.
    pub fn path(&self) -> Option<PathBuf> {
        let path = self.0.strip_prefix("unix://").unwrap_or(&self.0);
        path.starts_with('/').then(|| PathBuf::from(path))
    }
}

impl SettingValue for EngineSocket {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        if text.is_empty() {
            return Err(InvalidValue::new(
                "is empty".to_owned(),
                "write the path of the engine's socket",
            ));
        }
        Ok(Self(text.to_owned()))
    }

    fn show(&self) -> String {
        self.0.clone()
    }
}

/// Sandboxes.
#[derive(Debug, Clone)]
pub struct SandboxSettings {
    pub provider: SandboxProvider,
    /// Of local sandboxes and their snapshots.
    pub directory: PathBuf,
    /// `node_modules` with the agent; absent: that of the source tree.
    pub agent_directory: Option<PathBuf>,
    /// Of the container engine; absent: the first of the usual ones that is there.
    pub container_socket: Option<EngineSocket>,
    /// The image that containers begin with.
    pub container_image: String,
    /// Of the listener for sandboxes; absent: see [`Self::listen`].
    pub listen: Option<SocketAddr>,
    /// Where sandboxes reach gateways; absent: at the listener for sandboxes of this instance.
    pub gateway_address: Option<SocketAddr>,
    /// How long a sandbox lives; absent: as long as its session needs it.
    pub lifetime: Option<Duration>,
}

impl SandboxSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, data_dir: &Path) -> Self {
        Self {
            provider: resolver.value(&PROVIDER),
            directory: resolver.value_or(&DIRECTORY, data_dir.join("sandboxes")),
            agent_directory: resolver.optional(&AGENT_DIRECTORY),
            container_socket: resolver.optional(&CONTAINER_SOCKET),
            container_image: resolver.value(&CONTAINER_IMAGE),
            listen: resolver.optional(&LISTEN),
            gateway_address: resolver.optional(&GATEWAY_ADDRESS),
            lifetime: resolver.optional_as(&LIFETIME, parse_lifetime),
        }
    }

    /// The address of the listener for sandboxes, given that of the listener for users.
    pub fn listen(&self, users: SocketAddr) -> SocketAddr {
        self.listen.unwrap_or_else(|| default_listen(users))
    }

    pub fn validate(&self) -> Vec<InvalidSetting> {
        let check = |lifetime| check_duration_range(&LIFETIME, lifetime, LIFETIME_RANGE);
        self.lifetime.and_then(check).into_iter().collect()
    }
}

/// A duration; a bare number is one of seconds, as the name of `SANDBOX_TIMEOUT_SECONDS` says.
fn parse_lifetime(text: &str) -> Result<Duration, InvalidValue> {
    match text.parse() {
        Ok(seconds) => Ok(Duration::from_secs(seconds)),
        Err(_) => Duration::parse(text),
    }
}

/// On loopback, since sandboxes are on this machine, and at a port that the next start has too, so that a sandbox that keeps
/// running finds the gateway again.
fn default_listen(users: SocketAddr) -> SocketAddr {
    let ip = match users.ip() {
        IpAddr::V4(ip) if ip.is_loopback() => ip,
        _ => Ipv4Addr::LOCALHOST,
    };
    let port = match users.port() {
        0 => 0,
        port => match port.checked_add(PORT_DISTANCE) {
            Some(above) => above,
            None => port - PORT_DISTANCE,
        },
    };
    SocketAddr::from((ip, port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_one_of_this_machine() {
        let path = |text: &str| EngineSocket::parse(text).unwrap().path();
        let socket = Some(PathBuf::from("/run/docker.sock"));
        assert_eq!(path("/run/docker.sock"), socket);
        assert_eq!(path("unix:///run/docker.sock"), socket);
        for foreign in [
            "tcp://10.0.0.1:2375",
            "ssh://host",
            "docker.sock",
            "unix://x",
        ] {
            assert_eq!(path(foreign), None, "{foreign}");
        }
        assert!(EngineSocket::parse("").is_err());
    }

    #[test]
    fn a_lifetime_is_longer_than_the_time_in_which_a_session_moves() {
        assert_eq!(parse_lifetime("3600"), Ok(Duration::from_hours(1)));
        assert_eq!(parse_lifetime("90m"), Ok(Duration::from_mins(90)));
        assert!(parse_lifetime("long").is_err());
        let range = |lifetime| check_duration_range(&LIFETIME, lifetime, LIFETIME_RANGE);
        assert!(range(Duration::from_mins(9)).is_some());
        assert!(range(Duration::from_mins(10)).is_none());
    }

    #[test]
    fn sandboxes_have_a_listener_beside_that_for_users() {
        let at = |users: &str| default_listen(users.parse().unwrap()).to_string();
        for (users, sandboxes) in [
            ("127.0.0.1:7777", "127.0.0.1:8777"),
            ("127.0.0.5:80", "127.0.0.5:1080"),
            ("0.0.0.0:443", "127.0.0.1:1443"),
            ("[::]:7777", "127.0.0.1:8777"),
            ("127.0.0.1:65535", "127.0.0.1:64535"),
            ("127.0.0.1:0", "127.0.0.1:0"),
        ] {
            assert_eq!(at(users), sandboxes, "{users}");
        }
    }

    #[test]
    fn a_provider_is_one_of_five() {
        for text in ["auto", "root", "rootless", "container", "off"] {
            assert_eq!(SandboxProvider::parse(text).unwrap().show(), text);
        }
        assert!(SandboxProvider::parse("docker").is_err());
    }
}
