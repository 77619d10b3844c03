//! What runs inside a session's sandbox, as clients see and change it: repositories, services, environment values, evidence
//! files, a terminal, a server's preview. Most of it is asked of the daemon in the sandbox (`daemon`).

mod access;
mod daemon;
mod env;
mod evidence;
mod git;
mod preview;
mod services;
mod terminal;

pub use self::{
    access::{SandboxAccess, SandboxCallError},
    git::GitChange,
    preview::PreviewRequest,
    terminal::{Terminal, TerminalFrame},
};
