//! Where agents run on this machine: which sandboxes, the agent itself, and the command it gets inside.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::Arc,
};

use agent::install::{Installation, InstallationProblem};
use async_trait::async_trait;
use config::{SandboxProvider, SandboxSettings, Settings};
use domain::{
    audit::Sha256Hex,
    clock::{Clock, Entropy},
    limits::SANDBOX_CONTAINER_LAYERS_MERGED,
};
use hub::runtime::{LazyMachine, Machine, MachineOpener, MachineUnavailable};
use sandbox::{
    Destination, Provider,
    container::{self, ContainerProvider},
    local::{Local, Tier},
};

use crate::context::Context;

/// The command for the agent, beside our own binary.
const HELPER: &str = "proliferate-sandbox";

/// The sandboxes that settings name, tried when the first is needed. `listening` is where the gateway listens for them.
pub(crate) fn lazy_machine(
    context: &Context,
    settings: &Settings,
    listening: Option<SocketAddr>,
) -> LazyMachine {
    let off = settings.sandbox.provider == SandboxProvider::Off;
    let Some(listening) = listening.filter(|_| !off) else {
        return LazyMachine::closed("sandboxes are switched off on this gateway");
    };
    let lifetime = settings.sandbox.lifetime;
    let lazy_machine = LazyMachine::new(LocalMachineOpener {
        settings: settings.sandbox.clone(),
        data_dir: settings.data_dir.clone(),
        gateway: settings
            .sandbox
            .gateway_address
            .unwrap_or_else(|| reachable(listening)),
        clock: Arc::clone(&context.clock),
        entropy: Arc::clone(&context.entropy),
    });
    lazy_machine.with_lifetime(lifetime)
}

/// A listener on all addresses is reached on the loopback address.
fn reachable(bound: SocketAddr) -> SocketAddr {
    if bound.ip().is_unspecified() {
        return SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), bound.port());
    }
    bound
}

#[derive(Debug)]
struct LocalMachineOpener {
    settings: SandboxSettings,
    data_dir: PathBuf,
    gateway: SocketAddr,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

#[async_trait]
impl MachineOpener for LocalMachineOpener {
    async fn open(&self) -> Result<Machine, MachineUnavailable> {
        // Waiting installs nothing. A caller that asks after it was installed finds it: this is tried anew each time.
        let installation = installation(&self.settings).map_err(|missing| MachineUnavailable {
            reason: format!("the agent is missing: {missing}"),
            retryable: false,
        })?;
        let provider = self.provider().await.map_err(|error| MachineUnavailable {
            reason: format!("no sandbox can be made: {error}"),
            retryable: true,
        })?;
        let helper = helper();
        tracing::info!(
            provider = provider.name(),
            helper = helper.is_some(),
            "agents run here"
        );
        Ok(Machine {
            provider,
            installation,
            helper,
            gateway: Destination {
                name: "gateway".to_owned(),
                address: self.gateway,
            },
            clock: Arc::clone(&self.clock),
            transport: None,
        })
    }
}

impl LocalMachineOpener {
    async fn provider(&self) -> sandbox::Result<Arc<dyn Provider>> {
        let entropy = Arc::clone(&self.entropy);
        if self.settings.provider == SandboxProvider::Container {
            let opened = containers(&self.settings, &self.data_dir, entropy).await;
            return Ok(Arc::new(opened?));
        }
        let Some(tier) = tier(&self.settings).await else {
            let (step, hint) = ("looking at this machine", "`proliferate doctor` says why");
            return Err(sandbox::Error::failed(step, hint));
        };
        let local = Local::open(&self.settings.directory, tier, entropy)?;
        // Found out by trying, which waits for processes.
        let tried = tokio::task::spawn_blocking(move || sandbox::local::missing_limits(tier)).await;
        for limit in tried.unwrap_or_default() {
            tracing::warn!(limit, "a limit of sandboxes cannot be set on this machine");
        }
        Ok(Arc::new(local))
    }
}

fn helper() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let beside = own.parent()?.join(HELPER);
    beside.is_file().then_some(beside)
}

/// Where the agent is installed.
pub(crate) fn installation(
    settings: &SandboxSettings,
) -> Result<Installation, InstallationProblem> {
    let directory = settings.agent_directory.as_deref();
    let directory = directory.unwrap_or(Path::new(agent::install::DEFAULT_DIRECTORY));
    Installation::find(directory)
}

/// How well local sandboxes are closed in here; `None` where there are none.
pub(crate) async fn tier(settings: &SandboxSettings) -> Option<Tier> {
    match settings.provider {
        SandboxProvider::Off | SandboxProvider::Container => None,
        SandboxProvider::Root => Some(Tier::Root),
        SandboxProvider::Rootless => Some(Tier::Rootless),
        // Found out by trying, which waits for processes.
        SandboxProvider::Auto => {
            let report = tokio::task::spawn_blocking(sandbox::local::probe).await;
            report.ok()?.tier
        }
    }
}

/// The containers of this installation, where `sandbox.provider` is `container`.
pub(crate) async fn containers(
    settings: &SandboxSettings,
    data_dir: &Path,
    entropy: Arc<dyn Entropy>,
) -> sandbox::Result<ContainerProvider> {
    let socket = match &settings.container_socket {
        Some(given) => given.path().ok_or_else(|| {
            sandbox::Error::invalid("the container engine must have a socket on this machine")
        }),
        None => container::usual_socket().ok_or_else(|| {
            sandbox::Error::failed(
                "looking for a container engine",
                "there is no socket of one",
            )
        }),
    };
    // Two installations may share an engine; each knows its own by where its data is.
    let place = data_dir.as_os_str().as_encoded_bytes();
    let owner = Sha256Hex::of(place).as_str()[..16].to_owned();
    let settings = container::Settings {
        socket: socket?,
        image: settings.container_image.clone(),
        directory: settings.directory.join("containers"),
        owner,
        layers_max: SANDBOX_CONTAINER_LAYERS_MERGED,
    };
    Box::pin(ContainerProvider::open(settings, entropy)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_on_all_addresses_is_reached_on_this_machine() {
        let at = |text: &str| reachable(text.parse().unwrap()).to_string();
        assert_eq!(at("0.0.0.0:80"), "127.0.0.1:80");
        assert_eq!(at("[::]:80"), "127.0.0.1:80");
        assert_eq!(at("127.0.0.5:80"), "127.0.0.5:80");
    }
}
