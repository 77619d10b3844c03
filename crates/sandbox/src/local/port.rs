//! Ports in the rootless tier, where all sandboxes share this machine's: each port of a sandbox is mapped to a free one,
//! which it keeps.

use std::{
    collections::BTreeMap,
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io,
    net::{SocketAddr, TcpListener},
    path::Path,
};

use domain::limits::SERVER_PORTS;
use rustix::fs::{FlockOperation, flock};

use crate::{Endpoint, Error, Result};

/// Returns the machine's port for a port of a sandbox; chosen at the first request. Another program may take it before the one inside listens; that then fails to
/// start, and says so.
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
        let chosen = find_free_port(dir, port).map_err(failed)?;
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

/// Finds a free port. Where the search begins differs from sandbox to sandbox, as their folders do: two that come up at once
/// look at different ones.
fn find_free_port(dir: &Path, port: u16) -> io::Result<u16> {
    let mut hasher = DefaultHasher::new();
    (dir, port).hash(&mut hasher);
    let begin = usize::try_from(hasher.finish() % SERVER_PORTS.len() as u64).unwrap_or_default();
    { SERVER_PORTS.cycle() }
        .skip(begin)
        .take(SERVER_PORTS.len())
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .ok_or_else(|| io::ErrorKind::AddrInUse.into())
}
