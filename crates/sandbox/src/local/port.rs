//! Ports in the rootless tier, where all sandboxes share this machine's: each port of a sandbox gets a free
//! one, and keeps it.

use std::{
    collections::BTreeMap,
    fs, io,
    net::{SocketAddr, TcpListener},
    path::Path,
};

use rustix::fs::{FlockOperation, flock};

use crate::{Endpoint, Error, Result};

/// Chosen the first time it is asked for. Somebody else may take it before the program inside listens; that
/// program then fails to start, and says so.
pub(super) fn endpoint(dir: &Path, port: u16) -> Result<Endpoint> {
    let failed = |error: io::Error| Error::failed("choosing a port", error);
    let lock = fs::File::create(dir.join("ports.lock")).map_err(failed)?;
    flock(&lock, FlockOperation::LockExclusive).map_err(|error| failed(error.into()))?;
    let file = dir.join("ports.json");
    let mut ports: BTreeMap<u16, u16> = match fs::read(&file) {
        Ok(text) => serde_json::from_slice(&text).map_err(|error| failed(error.into()))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
        Err(error) => return Err(failed(error)),
    };
    let chosen = if let Some(chosen) = ports.get(&port) {
        *chosen
    } else {
        let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|one| one.local_addr());
        let chosen = free.map_err(failed)?.port();
        ports.insert(port, chosen);
        let text = serde_json::to_vec(&ports).map_err(|error| failed(error.into()))?;
        let new = dir.join("ports.new");
        fs::write(&new, text).map_err(failed)?;
        fs::rename(&new, &file).map_err(failed)?;
        chosen
    };
    let address = SocketAddr::from(([127, 0, 0, 1], chosen));
    Ok(Endpoint {
        listen: address,
        address,
    })
}
