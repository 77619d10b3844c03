//! The sandbox of one session: booted or found running, saved, paused and destroyed.
//!
//! [`SessionSandbox`] is the runtime that the session's loop asks for an agent. [`SandboxRecord`] is its row in the
//! database, [`SandboxFactory`] makes one for a session, and [`OpenSandboxes`] lists those of the sessions that are live
//! in this process. Used by `registry`, `sandbox_control` and `fleet`; depends on `runtime` and `session` only.
//!
//! INVARIANT: one thing at a time happens to a session's sandbox (a boot, a snapshot, a move, its end), under
//! [`SessionSandbox::turn`], and each runs to its end even if no caller waits for it any more: what is created is on
//! record, and env files that a snapshot took out are put back.

mod boot;
mod budget;
mod end;
mod factory;
mod failure;
mod move_schedule;
mod open_sandboxes;
mod origin;
mod plan;
mod read_budgets;
mod record;
mod runtime;
mod sandbox;
mod save;
mod snapshot_collector;

pub use self::save::{SaveError, SavedSnapshot};
pub(crate) use self::{
    factory::SandboxFactory,
    failure::{retry_later, step_failed},
    open_sandboxes::OpenSandboxes,
    origin::SandboxOrigin,
    plan::{boot_with_stages, booted_agent, session_title},
    sandbox::{SessionSandbox, destroy_sandbox},
};
