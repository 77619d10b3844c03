//! The commands: one file each, a folder for a group. Every one has its `Args` and a `run`.

pub mod action;
pub mod artifact;
pub mod audit;
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
pub mod lock;
pub mod login_link;
pub mod migrate;
pub mod openapi;
pub mod overrides;
pub mod policy;
pub mod reference;
pub mod run;
pub mod serve;
pub mod session;
pub mod token;
pub mod worker;
