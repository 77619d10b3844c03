//! One live session: a task with one bounded inbox. A [`Handle`] is what others call, [`Service`] is the loop. The
//! loop waits for nothing but its inbox, its writer and its clock, so no slow sandbox, database or client stops it
//! from answering.
//!
//! INVARIANT: nobody is sent an event that is not written. An event has its place when the database took it; then
//! it is in the window and goes out, with nothing in between.

mod clients;
mod deliver;
mod follow;
mod handle;
mod journal;
mod migrate;
mod outbox;
mod phase;
mod ports;
mod retry;
mod service;
mod withheld;
mod write;

pub use clients::{Told, aside};
pub use handle::{Attached, Handle, HubError, Look, NewPrompt, Pulse, Seat, Shown};
pub use journal::StoreJournal;
pub use migrate::{MoveEnd, Moved};
pub use ports::{BootError, Booted, Journal, JournalError, Liveness, Ports, Runtime, Stages};
pub use service::{Ended, Service};
