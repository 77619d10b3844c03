//! Ports for programs with a configurable port, and that may restart on the same one.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use app::system::SystemEntropy;
use domain::{clock::random_bytes, limits::SERVER_PORTS};

/// An address on this machine without a listener.
#[must_use]
pub fn free_address() -> SocketAddr {
    let [address] = free_addresses();
    address
}

/// As many of them, all different.
#[must_use]
pub fn free_addresses<const N: usize>() -> [SocketAddr; N] {
    // Held all at once, so that they differ.
    let held: [_; N] = std::array::from_fn(|_| listener());
    held.map(|listener| listener.local_addr().expect("a bound socket"))
}

fn listener() -> TcpListener {
    let random = || usize::from(u16::from_le_bytes(random_bytes(&SystemEntropy)));
    std::iter::repeat_with(random)
        .filter_map(|random| SERVER_PORTS.clone().nth(random % SERVER_PORTS.len()))
        .find_map(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok())
        .expect("they do not end")
}
