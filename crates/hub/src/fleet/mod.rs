//! What this instance does for the fleet beside the requests of callers: it takes sessions that have no owner, sweeps
//! sandboxes, evicts unused sessions, and drains.
//!
//! Built on `sandbox_control` and `registry`; `slot` and the facade call it, nothing else of this crate does.

mod adopt;
mod drain;
mod handoff;
mod load;
mod resume;
mod suspension;
mod sweep;
mod worker;

pub use self::worker::Fleet;
