//! HTTP to services: one request, one reply, through the egress guard of `tools`. Knows no service by name.

mod client;
mod limits;
mod page_link;
mod path;
mod pause;
mod reply;
mod request;

pub use self::limits::CallLimits;
pub(crate) use self::{
    client::{Client, secret_header, with_deadline},
    page_link::next_link,
    path::segment,
    pause::{reset_millis, reset_seconds, retry_after},
    reply::{Reply, kind_of},
    request::Request,
};
