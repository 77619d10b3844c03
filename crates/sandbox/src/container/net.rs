//! Ways into and out of a container that has no network.
//!
//! Out: for each destination a socket of this process is mounted into the container, where a small program
//! listens on a loopback address of its own and hands connections on. There is no other way, whatever runs
//! inside. In: `into.rs`.
//!
//! Both end with this process, like the gateway they lead to. Who takes a sandbox over opens them again.

use std::{
    collections::HashMap,
    fs::{self, DirBuilder, Permissions},
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    os::{
        fd::AsRawFd as _,
        unix::fs::{DirBuilderExt as _, PermissionsExt as _},
    },
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use aws_lc_rs::digest;
use domain::limits::{SANDBOX_DESTINATIONS_MAX, SANDBOX_DOOR_CONNECTIONS_MAX};
use tokio::{
    net::{TcpSocket, TcpStream, UnixListener},
    sync::Semaphore,
    task::JoinSet,
};

use super::{Container, into::Carriers};
use crate::{Destination, Error, Result, SandboxId};

/// Where the sockets are inside.
pub(super) const MOUNT: &str = "/run/proliferate-net";
/// The port of every destination, each on an address of its own.
pub(super) const PORT: u16 = 80;
/// The upper half of 127.0.0.0/8, where nothing listens.
const SOURCES: u8 = 128;
const STEP: &str = "opening the ways out of the sandbox";

/// Listens for each destination, inside, and offers to carry connections in. Its words are how to carry, for how long
/// one offer stands, and the numbers of the destinations; it goes on as long as the container.
pub(super) const RELAY: &str = r#"carry=$1 patience=$2
shift 2
while :; do
  perl -e "$carry" /run/proliferate-net/in.sock "$patience" 2>/dev/null
  sleep 1
done &
for number; do
  while :; do
    socat -t 600 "TCP-LISTEN:80,bind=127.1.0.$number,fork,reuseaddr,backlog=128,max-children=256" \
      "UNIX-CONNECT:/run/proliferate-net/$number.sock" 2>/dev/null
    sleep 1
  done &
done
sleep infinity"#;

/// What this process holds open, by sandbox.
#[derive(Default)]
pub(super) struct Doors(Mutex<HashMap<SandboxId, Open>>);

#[derive(Default)]
pub(super) struct Open {
    /// Ended when it is dropped.
    pub(super) tasks: JoinSet<()>,
    out: bool,
    pub(super) into: HashMap<u16, SocketAddr>,
    pub(super) carriers: Arc<Carriers>,
}

impl Doors {
    pub(super) fn has(&self, id: &SandboxId) -> bool {
        self.open().contains_key(id)
    }

    pub(super) fn open(&self) -> MutexGuard<'_, HashMap<SandboxId, Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The directory of all sockets, that no other user can read.
pub(super) fn prepare(directory: &Path) -> Result<PathBuf> {
    let failed = |error: io::Error| Error::failed("opening the container provider", error);
    let mut builder = DirBuilder::new();
    builder.recursive(true).mode(0o700);
    builder.create(directory).map_err(failed)?;
    directory.canonicalize().map_err(failed)
}

/// As it is written into the container's list of hosts.
pub(super) fn hosts(destinations: &[Destination]) -> Result<Vec<String>> {
    let safe = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.');
    if destinations.len() > SANDBOX_DESTINATIONS_MAX {
        return Err(Error::invalid("too many destinations"));
    }
    let host = |(at, one): (usize, &Destination)| {
        if one.name.is_empty() || !one.name.bytes().all(safe) {
            return Err(Error::invalid("not a name for a destination"));
        }
        Ok(format!("{}:127.1.0.{}", one.name, at + 1))
    };
    destinations.iter().enumerate().map(host).collect()
}

impl Container {
    /// The directory that is mounted into the container.
    pub(super) fn sockets(&self, id: &SandboxId) -> PathBuf {
        self.0.settings.directory.join(id.as_str())
    }

    /// Opens the ways out, if this process has not done so. Where another process still has them, new
    /// connections come here from now on.
    pub(super) fn open_doors(&self, id: &SandboxId, to: &[Destination]) -> Result<()> {
        let failed = |error: io::Error| Error::failed(STEP, error);
        let mut doors = self.0.doors.open();
        let open = doors.entry(id.clone()).or_default();
        if open.out {
            return Ok(());
        }
        let directory = self.sockets(id);
        match DirBuilder::new().mode(0o755).create(&directory) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => other.map_err(failed)?,
        }
        for (at, destination) in to.iter().enumerate() {
            let name = format!("{}.sock", at + 1);
            let listener = listen(&directory, &name, &self.random()).map_err(failed)?;
            open.tasks.spawn(hand_on(
                listener,
                source(id),
                reachable(destination.address),
            ));
        }
        let offers = listen(&directory, "in.sock", &self.random()).map_err(failed)?;
        let carriers = Arc::clone(&open.carriers);
        open.tasks.spawn(carriers.gather(offers));
        open.out = true;
        Ok(())
    }

    pub(super) fn close_doors(&self, id: &SandboxId) {
        self.0.doors.open().remove(id);
        let _ = fs::remove_dir_all(self.sockets(id));
    }
}

/// Binds under another name first: there is always a socket with a listener.
fn listen(directory: &Path, name: &str, random: &str) -> io::Result<UnixListener> {
    // A name of a socket has at most 107 bytes, the directory's may have more.
    let directory = fs::File::open(directory)?;
    let short = PathBuf::from(format!("/proc/self/fd/{}", directory.as_raw_fd()));
    let new = short.join(format!("{random}.new"));
    let listener = UnixListener::bind(&new)?;
    // The directory decides who may connect: no process outside, and every process inside.
    fs::set_permissions(&new, Permissions::from_mode(0o666))?;
    fs::rename(&new, short.join(name))?;
    Ok(listener)
}

/// Who listens everywhere is asked here.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    address
}

/// Where connections of a container come from, of the addresses of this machine alone: a destination here can tell one
/// container from the others. A container has no network, so that it cannot choose.
fn source(id: &SandboxId) -> Ipv4Addr {
    let digest = digest::digest(&digest::SHA256, id.as_str().as_bytes());
    let [a, b, c, ..] = digest.as_ref() else {
        return Ipv4Addr::LOCALHOST;
    };
    Ipv4Addr::new(127, SOURCES | a & !SOURCES, *b, (*c).clamp(1, 254))
}

async fn connect(source: Ipv4Addr, to: SocketAddr) -> io::Result<TcpStream> {
    if !to.ip().is_loopback() || to.is_ipv6() {
        return TcpStream::connect(to).await;
    }
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((source, 0)))?;
    socket.connect(to).await
}

async fn hand_on(listener: UnixListener, source: Ipv4Addr, to: SocketAddr) {
    let room = Arc::new(Semaphore::new(SANDBOX_DOOR_CONNECTIONS_MAX));
    let mut connections = JoinSet::new();
    loop {
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else {
            return;
        };
        let Ok((mut inside, _)) = listener.accept().await else {
            tokio::time::sleep(domain::limits::SANDBOX_DRAIN).await;
            continue;
        };
        while connections.try_join_next().is_some() {}
        connections.spawn(async move {
            if let Ok(mut outside) = connect(source, to).await {
                let _ = outside.set_nodelay(true);
                let _ = tokio::io::copy_bidirectional(&mut inside, &mut outside).await;
            }
            drop(permit);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_come_from_addresses_of_their_own() {
        let [one, other] = ["0123456789ab", "0123456789ac"].map(|id| source(&id.parse().unwrap()));
        assert_ne!(one, other);
        for address in [one, other] {
            assert!(
                address.is_loopback() && address.octets()[1] >= SOURCES,
                "{address}"
            );
        }
    }

    #[tokio::test]
    async fn a_destination_sees_where_a_container_comes_from() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let source = source(&"0123456789ab".parse().unwrap());
        let to = listener.local_addr().unwrap();
        let (connected, accepted) = tokio::join!(connect(source, to), listener.accept());
        connected.unwrap();
        assert_eq!(accepted.unwrap().1.ip(), IpAddr::V4(source));
    }

    #[test]
    fn destinations_have_addresses_of_their_own() {
        let to = |name: &str| Destination {
            name: name.to_owned(),
            address: SocketAddr::from(([127, 0, 0, 1], 1)),
        };
        let hosts = |names: &[&str]| hosts(&names.iter().map(|name| to(name)).collect::<Vec<_>>());
        assert_eq!(
            hosts(&["gateway", "model.x"]).unwrap(),
            ["gateway:127.1.0.1", "model.x:127.1.0.2"]
        );
        for bad in ["", "a b", "a:1.1.1.1", "a\nb"] {
            assert!(hosts(&[bad]).is_err(), "{bad}");
        }
        assert!(hosts(&["a"; 300]).is_err());
    }
}
