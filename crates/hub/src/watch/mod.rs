//! The clients that watch a session: each gets all of its events in order, none twice, from a given place or from now.
//!
//! `watcher` is the task of one client, `queue` what waits for it. Built on `registry`; nothing else of this crate uses it
//! but the facade.

mod queue;
mod watcher;

pub use self::{
    queue::ClientFrame,
    watcher::{WatchedSession, Watchers},
};
