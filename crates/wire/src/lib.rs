//! Shapes on the wire: requests, responses, the error envelope. Source of the OpenAPI document.
//!
//! Only this crate and `gateway` know JSON. Members are camelCase. A request refuses members it does
//! not know, so that a misspelt option is an error rather than a silent default; a response may get
//! new members, so readers ignore unknown ones. Rules about values live in `domain`; this crate only
//! defines how a value is written, and converts ids and choices to domain types with the field
//! named.

#[macro_use]
mod wire_enum;

mod ids;

pub mod action;
pub mod api_key;
pub mod artifact;
pub mod audit;
pub mod automation;
pub mod callback;
pub mod case;
pub mod configuration;
pub mod connector;
pub mod contract;
pub mod device_login;
pub mod env_vars;
pub mod fleet;
pub mod grant;
pub mod health;
pub mod installation;
pub mod integration;
pub mod invitation;
pub mod job;
pub mod live;
pub mod login;
pub mod me;
pub mod member;
pub mod model;
pub mod model_usage;
pub mod news;
pub mod notice;
pub mod organization;
pub mod organization_limits;
pub mod override_ticket;
pub mod page;
pub mod patch;
pub mod policy;
pub mod problem;
pub mod record;
pub mod recording;
pub mod repo;
pub mod safety_lock;
pub mod secret;
pub mod secret_text;
pub mod service_command;
pub mod session;
pub mod setup;
pub mod sharing;
pub mod verification;
pub mod webhook;
