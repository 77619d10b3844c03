//! `[sandbox]`: where agents run, and what runs in there.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use domain::limits::{SANDBOX_LIFETIME_MAX, SANDBOX_LIFETIME_MIN};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    env,
    error::{Complaint, Refusal, echo},
    resolve::Resolver,
    server::duration_range,
    setting::Setting,
    value::{Value, show_duration},
};

pub const PROVIDER: Setting = Setting {
    path: "sandbox.provider",
    flag: "--sandbox-provider",
    env: &[env::SANDBOX_PROVIDER],
};
pub const DIRECTORY: Setting = Setting {
    path: "sandbox.directory",
    flag: "--sandbox-directory",
    env: &[env::SANDBOX_DIRECTORY],
};
pub const AGENT_DIRECTORY: Setting = Setting {
    path: "sandbox.agent_directory",
    flag: "--agent-directory",
    env: &[env::AGENT_DIRECTORY],
};
pub const CONTAINER_SOCKET: Setting = Setting {
    path: "sandbox.container_socket",
    flag: "--sandbox-container-socket",
    env: &[env::SANDBOX_CONTAINER_SOCKET, env::DOCKER_HOST],
};
pub const CONTAINER_IMAGE: Setting = Setting {
    path: "sandbox.container_image",
    flag: "--sandbox-container-image",
    env: &[env::SANDBOX_CONTAINER_IMAGE],
};
pub const LISTEN: Setting = Setting {
    path: "sandbox.listen",
    flag: "--sandbox-listen",
    env: &[env::SANDBOX_LISTEN],
};
pub const GATEWAY_ADDRESS: Setting = Setting {
    path: "sandbox.gateway_address",
    flag: "--sandbox-gateway-address",
    env: &[env::SANDBOX_GATEWAY_ADDRESS],
};
pub const LIFETIME: Setting = Setting {
    path: "sandbox.lifetime",
    flag: "--sandbox-lifetime",
    env: &[env::SANDBOX_LIFETIME, env::SANDBOX_TIMEOUT_SECONDS],
};
/// What `scripts/container-image.sh` makes.
pub const DEFAULT_CONTAINER_IMAGE: &str = "localhost/proliferate-sandbox:latest";

/// From the port for people to that for sandboxes: far enough that several gateways at neighbouring ports do not meet.
const PORT_DISTANCE: u16 = 1000;

/// A duration; a bare number is one of seconds, as the name of `SANDBOX_TIMEOUT_SECONDS` says.
#[derive(Debug, Clone, Copy)]
struct Lifetime(Duration);

impl Value for Lifetime {
    fn parse(text: &str) -> Result<Self, Refusal> {
        match text.parse() {
            Ok(seconds) => Ok(Self(Duration::from_secs(seconds))),
            Err(_) => Duration::parse(text).map(Self),
        }
    }

    fn show(&self) -> String {
        show_duration(self.0)
    }
}

/// Which sandboxes there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SandboxProvider {
    /// The best that this machine allows.
    #[default]
    Auto,
    /// Local ones with a network and limits of their own; needs root.
    Root,
    /// Local ones without.
    Rootless,
    /// Containers of Docker or podman. Never chosen by itself.
    Container,
    /// None: sessions are recorded and no agent runs.
    Off,
}

impl Value for SandboxProvider {
    fn parse(text: &str) -> Result<Self, Refusal> {
        match text {
            "auto" => Ok(Self::Auto),
            "root" => Ok(Self::Root),
            "rootless" => Ok(Self::Rootless),
            "container" => Ok(Self::Container),
            "off" => Ok(Self::Off),
            _ => Err(Refusal::new(
                format!("is {}", echo(text)),
                "write `auto`, `root`, `rootless`, `container` or `off`",
            )),
        }
    }

    fn show(&self) -> String {
        match self {
            Self::Auto => "auto",
            Self::Root => "root",
            Self::Rootless => "rootless",
            Self::Container => "container",
            Self::Off => "off",
        }
        .to_owned()
    }
}

/// Where a container engine answers, as people write it: a path, or `unix://` and a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSocket(String);

impl EngineSocket {
    /// Absent for one that is not of this machine, as `DOCKER_HOST` may name for other programs.
    pub fn path(&self) -> Option<PathBuf> {
        let path = self.0.strip_prefix("unix://").unwrap_or(&self.0);
        path.starts_with('/').then(|| PathBuf::from(path))
    }
}

impl Value for EngineSocket {
    fn parse(text: &str) -> Result<Self, Refusal> {
        if text.is_empty() {
            return Err(Refusal::new(
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
    /// What local sandboxes and their snapshots are kept in.
    pub directory: PathBuf,
    /// `node_modules` with the agent; absent: that of the source tree.
    pub agent_directory: Option<PathBuf>,
    /// Of the container engine; absent: the first of the usual ones that is there.
    pub container_socket: Option<EngineSocket>,
    /// What containers begin with.
    pub container_image: String,
    /// Where sandboxes come in; absent: see [`Self::listen`].
    pub listen: Option<SocketAddr>,
    /// Where sandboxes reach gateways; absent: where they come in here.
    pub gateway_address: Option<SocketAddr>,
    /// How long a sandbox lives; absent: as long as its session needs it.
    pub lifetime: Option<Duration>,
}

impl SandboxSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, file: SandboxFile, data_dir: &Path) -> Self {
        let directory = data_dir.join("sandboxes");
        Self {
            provider: resolver.value(&PROVIDER, file.provider, SandboxProvider::Auto),
            directory: resolver.value(&DIRECTORY, file.directory, directory),
            agent_directory: resolver.optional(
                &AGENT_DIRECTORY,
                file.agent_directory,
                "(that of the source tree)",
            ),
            container_socket: resolver.optional(
                &CONTAINER_SOCKET,
                file.container_socket,
                "(the first usual one)",
            ),
            container_image: resolver.value(
                &CONTAINER_IMAGE,
                file.container_image,
                DEFAULT_CONTAINER_IMAGE.to_owned(),
            ),
            listen: resolver.optional(&LISTEN, file.listen, "(beside that for people)"),
            gateway_address: resolver.optional(
                &GATEWAY_ADDRESS,
                file.gateway_address,
                "(that of this instance)",
            ),
            lifetime: resolver
                .optional::<Lifetime>(&LIFETIME, file.lifetime, "(none)")
                .map(|lifetime| lifetime.0),
        }
    }

    /// Where sandboxes come in, given the address for people.
    pub fn listen(&self, people: SocketAddr) -> SocketAddr {
        self.listen.unwrap_or_else(|| beside(people))
    }

    pub fn validate(&self) -> Vec<Complaint> {
        let (min, max) = (SANDBOX_LIFETIME_MIN, SANDBOX_LIFETIME_MAX);
        let lifetime = self.lifetime;
        let wrong = lifetime.and_then(|given| duration_range(&LIFETIME, given, min, max));
        wrong.into_iter().collect()
    }
}

/// On loopback, since sandboxes are on this machine, and at a port that the next start has too, so that a sandbox that goes
/// on finds the gateway again.
fn beside(people: SocketAddr) -> SocketAddr {
    let ip = match people.ip() {
        IpAddr::V4(ip) if ip.is_loopback() => ip,
        _ => Ipv4Addr::LOCALHOST,
    };
    let port = match people.port() {
        0 => 0,
        port => match port.checked_add(PORT_DISTANCE) {
            Some(above) => above,
            None => port - PORT_DISTANCE,
        },
    };
    SocketAddr::from((ip, port))
}

/// `[sandbox]` of the file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SandboxFile {
    /// `auto` for the best that this machine allows, `root`, `rootless`, `container`, or `off` for none.
    /// Default `auto`.
    provider: Option<String>,
    /// Directory of local sandboxes and their snapshots. Default: `sandboxes` in the data directory.
    directory: Option<String>,
    /// `node_modules` directory with the agent. Default: that of the source tree.
    agent_directory: Option<String>,
    /// Socket of Docker or podman. Default: that of `DOCKER_HOST`, else the first of the usual ones that is there.
    container_socket: Option<String>,
    /// Image that containers begin with. Default: what `scripts/container-image.sh` makes.
    container_image: Option<String>,
    /// Address and port at which sandboxes come in, apart from people. Default: on loopback, a thousand above the port
    /// of `server.listen`.
    listen: Option<String>,
    /// Address and port at which sandboxes reach gateways. With several instances that of a load balancer, so that a
    /// sandbox outlives the instance that made it. Default: `sandbox.listen` of this instance.
    gateway_address: Option<String>,
    /// How long a sandbox lives, such as `1h`, from `10m` on. Its session is moved to a fresh one five minutes before, with
    /// its files and its conversation. Default: none; a sandbox lives as long as its session needs it.
    lifetime: Option<String>,
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
    fn a_life_is_longer_than_the_time_in_which_a_session_moves() {
        let life = |text: &str| Lifetime::parse(text).map(|life| life.0);
        assert_eq!(life("3600"), Ok(Duration::from_hours(1)));
        assert_eq!(life("90m"), Ok(Duration::from_mins(90)));
        assert!(life("long").is_err());
        let range =
            |life| duration_range(&LIFETIME, life, SANDBOX_LIFETIME_MIN, SANDBOX_LIFETIME_MAX);
        assert!(range(Duration::from_mins(9)).is_some());
        assert!(range(Duration::from_mins(10)).is_none());
    }

    #[test]
    fn sandboxes_come_in_beside_people() {
        let at = |people: &str| beside(people.parse().unwrap()).to_string();
        for (people, sandboxes) in [
            ("127.0.0.1:7777", "127.0.0.1:8777"),
            ("127.0.0.5:80", "127.0.0.5:1080"),
            ("0.0.0.0:443", "127.0.0.1:1443"),
            ("[::]:7777", "127.0.0.1:8777"),
            ("127.0.0.1:65535", "127.0.0.1:64535"),
            ("127.0.0.1:0", "127.0.0.1:0"),
        ] {
            assert_eq!(at(people), sandboxes, "{people}");
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
