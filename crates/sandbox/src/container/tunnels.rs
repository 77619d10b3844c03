//! Connections out of and into containers, which have no network: what this process holds open for each sandbox.
//!
//! They end with this process, like the gateway they lead to. A process that takes a sandbox over opens them again.

use std::{
    collections::HashMap,
    fs::{self, DirBuilder},
    io,
    net::{Ipv4Addr, SocketAddr},
    os::unix::fs::DirBuilderExt as _,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::{net::TcpListener, task::JoinSet};

use super::{
    engine::Engine,
    helper::Helper,
    inbound::{InboundPort, Offers},
    names::container_name,
    outbound::{forward, listen},
};
use crate::{Destination, Error, Result, SandboxId};

const STEP: &str = "opening the ways out of the sandbox";

pub(super) struct Tunnels {
    engine: Engine,
    helper: Helper,
    open: Mutex<HashMap<SandboxId, SandboxTunnels>>,
}

#[derive(Default)]
struct SandboxTunnels {
    /// Ended when it is dropped.
    tasks: JoinSet<()>,
    has_outbound: bool,
    /// The address on this machine, by the port inside.
    inbound: HashMap<u16, SocketAddr>,
    offers: Arc<Offers>,
}

impl Tunnels {
    pub(super) fn new(engine: Engine, helper: Helper) -> Self {
        Self {
            engine,
            helper,
            open: Mutex::default(),
        }
    }

    pub(super) fn is_open(&self, id: &SandboxId) -> bool {
        self.lock().contains_key(id)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SandboxId, SandboxTunnels>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The directory that is mounted into the container.
    pub(super) fn socket_directory(&self, id: &SandboxId) -> PathBuf {
        self.engine.settings().directory.join(id.as_str())
    }

    /// Opens the connections out, unless this process has done so. Where another process still has them, new connections
    /// come here from now on.
    pub(super) fn open_outbound(&self, id: &SandboxId, to: &[Destination]) -> Result<()> {
        let failed = |error: io::Error| Error::failed(STEP, error);
        let mut open = self.lock();
        let tunnels = open.entry(id.clone()).or_default();
        if tunnels.has_outbound {
            return Ok(());
        }
        let directory = self.socket_directory(id);
        match DirBuilder::new().mode(0o755).create(&directory) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => other.map_err(failed)?,
        }
        for (at, destination) in to.iter().enumerate() {
            let name = format!("{}.sock", at + 1);
            let listener =
                listen(&directory, &name, &self.engine.generate_name()).map_err(failed)?;
            let forwarding = forward(listener, id.clone(), destination.address);
            tunnels.tasks.spawn(forwarding);
        }
        let listener =
            listen(&directory, "in.sock", &self.engine.generate_name()).map_err(failed)?;
        let offers = Arc::clone(&tunnels.offers);
        tunnels.tasks.spawn(offers.accept_all(listener));
        tunnels.has_outbound = true;
        Ok(())
    }

    /// Returns the address on this machine that reaches a port inside.
    pub(super) async fn open_inbound(&self, id: &SandboxId, port: u16) -> Result<SocketAddr> {
        if let Some(address) = self.inbound_address(id, port) {
            return Ok(address);
        }
        let failed = |error: io::Error| Error::failed("opening a way into the sandbox", error);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        if let Some(address) = self.inbound_address(id, port) {
            return Ok(address);
        }
        let mut open = self.lock();
        let tunnels = open.entry(id.clone()).or_default();
        tunnels.inbound.insert(port, address);
        let inbound = InboundPort {
            helper: self.helper.clone(),
            offers: Arc::clone(&tunnels.offers),
            container: container_name(id),
            port,
        };
        tunnels.tasks.spawn(inbound.serve(listener));
        Ok(address)
    }

    fn inbound_address(&self, id: &SandboxId, port: u16) -> Option<SocketAddr> {
        let open = self.lock();
        open.get(id)
            .and_then(|tunnels| tunnels.inbound.get(&port).copied())
    }

    pub(super) fn close(&self, id: &SandboxId) {
        self.lock().remove(id);
        let _ = fs::remove_dir_all(self.socket_directory(id));
    }
}
