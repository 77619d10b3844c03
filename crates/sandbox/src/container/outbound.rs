//! Connections out of a container, which has no network: for each destination a socket of this process is mounted into the
//! container, where a small program listens on a loopback address of its own and forwards connections. There is no other
//! way out, whatever runs inside.

use std::{
    fs::{self, Permissions},
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    os::{fd::AsRawFd as _, unix::fs::PermissionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use aws_lc_rs::digest;
use domain::limits::{SANDBOX_DESTINATIONS_MAX, SANDBOX_DOOR_CONNECTIONS_MAX, SANDBOX_DRAIN};
use tokio::{
    net::{TcpSocket, TcpStream, UnixListener},
    sync::Semaphore,
    task::JoinSet,
};

use super::container_body::DESTINATION_PORT;
use crate::{Destination, Error, Result, SandboxId};

/// Where the sockets are inside.
pub(super) const MOUNT: &str = "/run/proliferate-net";
/// The upper half of 127.0.0.0/8, where nothing listens.
const SOURCES: u8 = 128;

/// Runs inside: listens for each destination, and offers itself for connections into the container (`inbound.rs`). Its words
/// are the program of an offer, for how long one offer stands, and the numbers of the destinations; it runs as long as the
/// container.
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

/// Checks the names of destinations, and returns the lines of the container's list of hosts.
pub(super) fn host_entries(destinations: &[Destination]) -> Result<Vec<String>> {
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

/// Returns `host:port` of a destination as seen from inside.
pub(super) fn address_inside(destination: &Destination) -> String {
    format!("{}:{DESTINATION_PORT}", destination.name)
}

/// Listens on a socket. Binds under another name first: there is always a socket with a listener.
pub(super) fn listen(directory: &Path, name: &str, random: &str) -> io::Result<UnixListener> {
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

/// The address that reaches a program of this machine that listens on `address`.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    address
}

/// The source address of a container's connections to this machine: a destination here can tell one container from the
/// others. A container has no network, so that it cannot choose.
fn source_address(id: &SandboxId) -> Ipv4Addr {
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

/// Forwards the connections of a container to a destination.
pub(super) async fn forward(listener: UnixListener, id: SandboxId, destination: SocketAddr) {
    let (source, to) = (source_address(&id), reachable(destination));
    let room = Arc::new(Semaphore::new(SANDBOX_DOOR_CONNECTIONS_MAX));
    let mut connections = JoinSet::new();
    loop {
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else {
            return;
        };
        let Ok((mut inside, _)) = listener.accept().await else {
            tokio::time::sleep(SANDBOX_DRAIN).await;
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
        let [one, other] =
            ["0123456789ab", "0123456789ac"].map(|id| source_address(&id.parse().unwrap()));
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
        let source = source_address(&"0123456789ab".parse().unwrap());
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
        let hosts =
            |names: &[&str]| host_entries(&names.iter().map(|name| to(name)).collect::<Vec<_>>());
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
