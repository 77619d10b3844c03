//! Connections of clients: their limits, per peer and in total, and when they are closed. The router handles the
//! requests on them.
//!
//! Every listener has a table of its own ([`Connections`]), so that one cannot exhaust another. A new connection is
//! never kept waiting: it is served, or the oldest idle one is closed in its favour, or it is closed at once.

mod bounds;
mod client_connection;
mod forwarded;
mod io;
mod peer;
mod proxies;
mod requests;
mod table;
mod unauthenticated;

pub use bounds::{ConnectionBounds, Loopback};
pub(crate) use client_connection::{ActiveRequest, ClientConnection, TrackedBody};
pub(crate) use forwarded::{add_forwarded_for, client_of};
pub(crate) use io::ConnectionIo;
pub(crate) use peer::Peer;
pub(crate) use proxies::Proxies;
pub(crate) use requests::{Requests, RequestsFull};
pub(crate) use table::{ConnectionSlot, Connections, assign_to_session};
pub(crate) use unauthenticated::{UnauthenticatedSocket, UnauthenticatedSockets};
