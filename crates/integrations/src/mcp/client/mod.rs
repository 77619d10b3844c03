//! The client of one MCP server: the HTTP below the protocol, the handshake, listing and calling.
//!
//! INVARIANT: every request goes out through [`http::Http`], whose client comes from a checked
//! [`Route`](tools::egress::Route): to the addresses that were checked, without redirects or a proxy.

mod call;
mod connection;
mod error;
mod http;
mod list;
mod prepare;
mod response;

pub(crate) use self::{
    call::{CallError, call},
    connection::McpConnection,
    list::list,
    prepare::prepare,
};
