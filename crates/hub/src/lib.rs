//! Live sessions: the agent's side of the conversation and everyone who watches it.

pub mod house;
mod inside;
pub mod log;
pub mod opencode;
pub mod runtime;
pub mod session;
