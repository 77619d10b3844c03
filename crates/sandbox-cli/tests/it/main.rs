//! The binary from outside: against a stand-in of the gateway's action routes, and as a daemon with real
//! services; what it prints, how it ends, and what it sent. One test binary, because linking one is quicker
//! than linking many.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod blips;
mod daemon_death;
mod daemon_http;
mod documents;
mod env_files;
mod environment;
mod git;
mod git_change;
mod help;
mod owners;
mod params;
mod program;
mod reading;
mod running;
mod sandbox;
mod services;
mod stand_in;
mod terminal;
mod waiting;
