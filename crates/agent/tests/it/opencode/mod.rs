//! What needs OpenCode's program; `./test unit` leaves these out by the name of this module.

mod callback;
mod callback_owner;
mod calls;
mod client;
mod discovery;
mod env_request;
mod faults;
mod runtime;
