//! The contract against the real agent: its runtime for the callback, its server for everything else. Only the
//! gateway and the model are stand-ins.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod gateway;
mod lab;
mod model;
mod opencode;
