//! What a sandbox's agent is given: prompts, tools, configuration, model names. Everything but [`install`] is
//! pure; others write the files and start the program.
//!
//! INVARIANT: no secret is in a file; those are in [`env::variables`] alone.

mod config;
mod context;
pub mod contract;
pub mod env;
pub mod install;
mod mode;
pub mod models;
pub mod prompt;
mod text;
pub mod tool;

pub use self::{
    context::{Context, Layout, Listen, Pace, Run},
    mode::Mode,
};
