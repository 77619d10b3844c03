//! The files and settings of a sandbox's agent: prompts, tools, configuration, model names. Everything but
//! [`install`] is pure; callers write the files and start the program.
//!
//! INVARIANT: no secret is in a file; secrets are in [`env::variables`] alone.

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
mod variable;

pub use self::{
    context::{AutomationRunIds, Context, Layout, ListenAddress, RetryTimes},
    mode::Mode,
};
