//! Safety locks of organizations, and what lifts one for a time.

use std::time::Duration;

/// Longest reason for a lock, its release or a ticket: a paragraph for whoever asks later.
pub const LOCK_REASON_LENGTH_MAX: usize = 500;
/// Longest that a lane can be lifted out of a lock: the contract's bound on breaking glass.
pub const OVERRIDE_MINUTES_MAX: u32 = 60;
/// How long a ticket waits to be approved and used: a second person who is not found by then is not at hand, and
/// an old yes says nothing about what happens now.
pub const OVERRIDE_TICKET_WAIT: Duration = Duration::from_hours(1);
/// Tickets of an organization that wait or are in use: more than people can keep in mind. It also bounds what a
/// decision reads while a lock is engaged.
pub const OVERRIDE_TICKETS_OPEN_MAX: u32 = 20;
/// Tickets whose time was over, ended in one sweep.
pub const OVERRIDE_SWEEP_BATCH_MAX: u32 = 100;
