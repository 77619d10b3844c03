//! Stand-ins for services that the product talks to: they speak the real wire format, fail on demand and
//! record every request.

pub mod admission;
pub mod agent;
pub mod everything;
pub mod git;
pub mod github;
mod graphql;
pub mod hook;
pub mod liar;
pub mod linear;
pub mod mcp;
pub mod oauth;
pub mod oidc;
pub mod sentry;
mod serve;
mod service;
pub mod slack;

pub use service::{Answer, Fault, Recorded, Standin};
