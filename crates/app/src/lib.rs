//! Use cases: a folder per noun, a file per verb. What a route, a command or a job wants done is one
//! call here. This crate knows no routes, none of the shapes of `wire`, and not where settings come from; the JSON of
//! notices and news is written here, and tests of the gateway compare it with `wire`.
//!
//! A use case of a route takes the [`App`] it works in and either an authenticated [`domain::caller::Caller`] or a proof
//! of what the caller may do ([`access`]), which can only be had from one. Sweeps, jobs and operator commands have no
//! caller.

pub mod access;
pub mod actions;
pub mod admission;
pub mod api_keys;
pub mod artifacts;
pub mod audit;
pub mod automations;
mod builtin;
pub mod callbacks;
pub mod cases;
pub mod configurations;
pub mod connectors;
mod context;
pub mod crypto;
mod error;
pub mod fleet;
pub mod git;
pub mod grants;
pub mod identity;
pub mod installation;
pub mod integrations;
pub mod invitations;
pub mod jobs;
mod json;
pub mod locks;
pub mod mail;
pub mod maintenance;
pub mod mediation;
pub mod members;
pub mod models;
pub mod news;
pub mod notices;
pub mod organization_limits;
pub mod organizations;
pub mod policy;
pub mod readiness;
pub mod recordings;
pub mod repos;
pub mod runs;
pub mod secrets;
pub mod sessions;
pub mod setup;
pub mod sharing;
pub mod system;
pub mod tool_calls;
pub mod verification;
pub mod webhooks;

pub use context::{App, Parts};
pub use error::{Error, Result};
