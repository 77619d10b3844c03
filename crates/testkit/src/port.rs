//! Ports for programs that are told where to listen, and may come back to the same place.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use app::system::SystemEntropy;
use domain::clock::random_bytes;

/// Below the ports that the kernel hands to clients (32768 and up), so that no connection of another test can sit on
/// one before its program listens, or while that is away.
const FIRST: u16 = 10_000;
const COUNT: u16 = 20_000;

/// An address on this machine that nobody listens at.
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
    let random = || FIRST + u16::from_le_bytes(random_bytes(&SystemEntropy)) % COUNT;
    std::iter::repeat_with(random)
        .find_map(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok())
        .expect("they do not end")
}
