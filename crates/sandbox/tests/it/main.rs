//! The crate from outside. Tests of the root tier need root, as `./test` has where it can install packages.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "this is a test, helpers included")]

#[macro_use]
mod conformance;

mod agent;
mod bounds;
mod engine;
mod faults;
mod holes;
mod jail;
mod killed;
mod leftovers;
mod liars;
mod network;
mod podman;
mod providers;
mod secrets;
mod shares;
mod snapshots;
mod support;
mod unprivileged;
mod walls;
mod yard;
