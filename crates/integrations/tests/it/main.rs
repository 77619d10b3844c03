//! Integrations against stand-ins: real requests on loopback, which the egress guard lets through by name alone.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod conformance;
mod github;
mod guide;
mod linear;
mod listing;
mod mcp;
mod params;
mod sentry;
mod slack;
mod stage;
