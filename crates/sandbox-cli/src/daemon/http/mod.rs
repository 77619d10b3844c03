//! The daemon's HTTP interface: connections, authentication, routes, and how responses and problems are written.

mod auth;
mod body;
mod log_stream;
mod message;
mod routes;
mod server;

pub(super) use self::{
    message::{DaemonRequest, DaemonResult},
    server::serve,
};
