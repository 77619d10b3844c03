//! Executors against real programs and real connections.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod command;
mod confinement;
mod engines;
mod http;
mod permit;
mod support;
