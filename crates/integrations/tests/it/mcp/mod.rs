//! Connectors against servers: a stand-in that fails on demand, and one that we did not write.

mod call;
mod common;
mod egress;
mod list;
mod retry;
mod secrets;
mod server_everything;
