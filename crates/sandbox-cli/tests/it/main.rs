//! The binary from outside, against a stand-in of the gateway's action routes: what it prints, how it
//! ends, and what it sent. One test binary, because linking one is quicker than linking many.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod blips;
mod environment;
mod help;
mod owners;
mod params;
mod program;
mod reading;
mod running;
mod stand_in;
mod waiting;
