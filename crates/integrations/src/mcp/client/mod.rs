//! Talking to one server: the HTTP below the protocol, the handshake, listing and calling.
//!
//! INVARIANT: every request goes out through [`http::Http`], whose client comes from a checked
//! [`Route`](tools::egress::Route): to the addresses that were checked, without redirects or a proxy.

mod answer;
mod call;
mod error;
mod http;
mod link;
mod list;
mod prepare;

pub(crate) use self::{
    call::{CallError, call},
    link::Link,
    list::list,
    prepare::prepare,
};
