//! The gateway as its callers see it: the routes in process, over both databases.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod actions;
mod admission;
mod artifacts;
mod audit;
mod authorization;
mod automations;
mod bad_input;
mod bounds;
mod callbacks;
mod capacity;
mod cases;
mod connections;
mod connectors;
mod dashboard;
mod device_login;
mod evidence;
mod fleet;
mod foreign;
mod git;
mod http2;
mod integrations;
mod invitations;
mod listeners;
mod live;
mod login;
mod login_oidc;
mod login_oidc_logout;
mod login_oidc_providers;
mod mails;
mod mcp;
mod mediation;
mod members;
mod members_removed;
mod models;
mod news;
mod openapi;
mod organization_limits;
mod organizations;
mod peers;
mod policy;
mod preview;
mod recorded;
mod refused;
mod resources;
mod routes;
mod screens;
mod secrets;
mod sessions_create;
mod sessions_once;
mod sessions_provisioning;
mod sessions_read;
mod setup;
mod sharing;
mod steering;
mod support;
mod surface;
mod tokens;
mod transcript;
mod units;
mod webhooks;

// Where those files find each other in the library.
use units::{self as extract, error};
