//! From a session to an agent that answers: a sandbox, repositories, the agent's files, the agent itself.
//!
//! INVARIANT: when a boot fails, no sandbox of it is left.

mod boot;
mod error;
mod files;
mod helper;
mod plan;
mod repos;
mod timeline;
mod workshop;

pub(crate) use self::boot::AGENT;
pub use self::{
    boot::{Machine, Running},
    error::BootError,
    helper::{restore_env_files, snapshot_request},
    plan::{Checkout, Plan, Remote},
    timeline::{Step, Timeline},
    workshop::{Closed, Opener, Workshop},
};
