//! Safety locks of organizations, and their temporary exemptions.

use std::time::Duration;

/// Longest reason for a lock, its release or a ticket: a paragraph for auditors.
pub const LOCK_REASON_LENGTH_MAX: usize = 500;
/// Longest exemption of a lane from a lock: the contract's bound on emergency access.
pub const OVERRIDE_MINUTES_MAX: u32 = 60;
/// How long a ticket waits to be approved and used: a second admin who is not found by then is not available,
/// and an old approval does not fit the current situation.
pub const OVERRIDE_TICKET_WAIT: Duration = Duration::from_hours(1);
/// Tickets of an organization that wait or are in use: more than admins can keep track of. It also bounds what
/// a decision reads while a lock is engaged.
pub const OVERRIDE_TICKETS_OPEN_MAX: u32 = 20;
/// Expired tickets that one sweep ends.
pub const OVERRIDE_SWEEP_BATCH_MAX: u32 = 100;
