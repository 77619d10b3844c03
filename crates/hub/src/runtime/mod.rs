//! The steps of a boot, from a plan to an agent that answers: sandbox, repositories, files, agent.
//!
//! INVARIANT: a boot that fails leaves no sandbox.

mod boot;
mod error;
mod files;
mod helper;
mod lazy_machine;
mod plan;
mod repos;
mod timeline;

pub(crate) use self::boot::AGENT;
pub use self::{
    boot::{Machine, RunningAgent},
    error::BootStepError,
    helper::{restore_env_files, snapshot_request},
    lazy_machine::{LazyMachine, MachineOpener, MachineUnavailable},
    plan::{BootPlan, Checkout, Remote},
    timeline::{BootTimeline, Step},
};
