//! The live sessions of this process: opened when a caller needs one, gone when they end.
//!
//! A session is opened under its lease, with a new epoch; `lease` keeps the first, the store checks the second. `capacity`
//! bounds how many sessions are live, `admission` refuses new ones during a drain, `entry` is what is known of one session.
//! `registry` makes each session's sandbox control (`session_sandbox`) and loop (`session`), and knows the other instances
//! by `peers`; `sandbox_control`, `watch` and `fleet` are built on it.
//!
//! INVARIANT: a session has at most one hub here, and its log accepts the writes of its newest owner alone: opening a
//! session acquires its lease and claims its epoch first.
//!
//! INVARIANT: a live session is reached by a proof of [`app::access`] or by a session's row, never by an id alone; an entry
//! knows its organization and refuses another.

mod action_notices;
mod admission;
mod callbacks;
mod capacity;
mod departure;
mod ended_runtime;
mod entry;
mod first_prompt;
mod lease;
mod observed_journal;
mod open;
mod session_key;
mod signal;
mod state;

pub use self::{
    capacity::HubLimits,
    state::{Registry, Runtimes},
};
pub(crate) use self::{departure::Departure, entry::SessionEntry, session_key::SessionKey};
