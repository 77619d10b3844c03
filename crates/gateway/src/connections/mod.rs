//! Connections of clients: how many there may be, of whom, and when one ends. What is said on them is the router's.
//!
//! Every listener has a table of its own ([`Connections`]), so that what comes in by one takes nothing from the other.
//! A new connection is never kept waiting: it is served, or in its place the oldest one that asks for nothing ends, or it
//! is closed at once.

mod bounds;
mod link;
mod peer;
mod place;
mod proxies;
mod requests;
mod table;
mod unknown;

pub use bounds::{ConnectionBounds, Loopback};
pub(crate) use link::{Counted, Link, of_session};
pub(crate) use peer::{Peer, client, forwarded_for};
pub(crate) use place::{OnWire, Place};
pub(crate) use proxies::Proxies;
pub(crate) use requests::{Full, Requests};
pub(crate) use table::Connections;
pub(crate) use unknown::{UnknownSocket, UnknownSockets};
