//! The store on both databases: every test runs on SQLite and on PostgreSQL, each in a database of
//! its own.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod actions;
mod artifacts;
mod audit;
mod automations;
mod cases;
mod configurations;
mod connectors;
mod identity;
mod integrations;
mod invitations;
mod jobs;
mod locks;
mod model_usage;
mod organization_limits;
mod purge;
mod records;
mod rows;
mod schema;
mod secrets;
mod session_events;
mod sessions;
mod snapshots;
mod successors;
mod tenancy;
mod webhooks;
