//! What callers and jobs do to the sandbox of a live session: save it, move the session to another, end it. `inside` is what
//! runs in a sandbox: repositories, services, environment values, evidence, terminal, preview.
//!
//! Built on `registry`, which opens the session, and `session_sandbox`, which does the work; `fleet` calls it.

mod control;
mod info;
pub(crate) mod inside;
mod migrate;
mod sandbox_move;
mod successor;

pub use self::{control::SandboxControl, info::SandboxInfo, migrate::Departing};
