//! Many instances: who has a session, how long it stays, and how requests find it.

use std::time::Duration;

/// Live sessions of one process. Each has some tasks and up to some megabytes of its conversation: half a thousand is
/// what a small machine holds.
pub const HUBS_MAX: usize = 500;
/// More than this no process could hold open files for.
pub const HUBS_CAP: usize = 100_000;
/// How long a session stays live that nobody watches and whose agent waits: a page that is loaded anew, a walk to the
/// next meeting.
pub const HUB_IDLE_TTL: Duration = Duration::from_mins(5);
/// Nobody means to wait longer for a sandbox to be put away that nobody uses.
pub const HUB_IDLE_TTL_MAX: Duration = Duration::from_hours(24 * 7);
/// How often live sessions are looked at, at most: the time above is kept within this.
pub const HOUSE_LOOK_EVERY: Duration = Duration::from_secs(15);
/// Sessions that are put away at once because nobody uses them: each copies what it changed.
pub const HOUSE_EVICT_AT_ONCE: usize = 4;
/// Sessions that are handed over at once when a process ends: each is a write and a call.
pub const HOUSE_HAND_OVER_AT_ONCE: usize = 64;
/// How long somebody who wants a session waits for it to be put away first: below the time a request has.
pub const HOUSE_LEAVE_WAIT: Duration = Duration::from_secs(25);
/// When somebody should come back to an instance that is full: a session or two have gone by then.
pub const HOUSE_FULL_RETRY_AFTER: Duration = Duration::from_secs(10);
/// How long a session goes on whose lease cannot be confirmed, because the coordination service does not answer: a
/// restart of that takes seconds, a failover a minute or two. Only the database says then whose the session is.
pub const OWNER_UNCONFIRMED_MAX: Duration = Duration::from_mins(5);
/// Pause before such a lease is asked for again.
pub const OWNER_REGAIN_EVERY: Duration = Duration::from_secs(2);
/// Pause before the lock of a boot is asked for again.
pub const BOOT_LOCK_EVERY: Duration = Duration::from_millis(500);
/// Times it is asked for: while the lock of an instance that is gone lives, and a little longer.
pub const BOOT_LOCK_TRIES: u32 = 70;
/// Sessions without an owner that one look takes over: the others are taken by the next look, or by other instances.
pub const HOUSE_ADOPT_BATCH_MAX: u32 = 20;
/// How old the last change of a session must be before it counts as left by its owner: a boot says something more often.
pub const HOUSE_ADOPT_AFTER: Duration = Duration::from_secs(15);
/// Longest until a connection to another instance stands; they are in one data center.
pub const FORWARD_CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Connections to other instances that are kept open without a request, to each.
pub const FORWARD_IDLE_CONNECTIONS_MAX: usize = 16;
/// Bytes that are carried at once in each direction of a forwarded WebSocket.
pub const FORWARD_BUFFER_BYTES: usize = 16 * 1024;
