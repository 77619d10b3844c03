//! The commands: one file each, with its `Args` and a `run`. A noun is a folder: `mod.rs` declares its subcommands and
//! dispatches to them, `fields.rs` declares what is listed and shown of it, `requests.rs` has requests that several of
//! them make.

pub mod action;
pub mod artifact;
pub mod audit;
pub mod automation;
pub mod budget;
pub mod call;
pub mod case;
pub mod completions;
pub mod config;
pub mod connector;
pub mod demo;
pub mod dev;
pub mod doctor;
pub mod drain;
pub mod grant;
pub mod job;
pub mod limits;
pub mod lock;
pub mod login_link;
pub mod migrate;
pub mod openapi;
pub mod org_limits;
pub mod overrides;
pub mod policy;
pub mod reference;
pub mod run;
pub mod serve;
pub mod session;
pub mod token;
pub mod worker;
