//! Many instances: who has a session, how long it stays, and how requests find it.

use std::time::Duration;

/// Live sessions of one process. Each has some tasks and up to some megabytes of its conversation: half a thousand is
/// what a small machine can hold.
pub const HUBS_MAX: usize = 500;
/// The reserve for other organizations is one in so many, so that an organization with many sessions cannot keep
/// another from opening its first. Small enough that an organization alone hardly notices.
pub const HUBS_RESERVED_PART: usize = 10;
/// More than this no process could hold open files for.
pub const HUBS_CAP: usize = 100_000;
/// How long a session stays live without clients and with an idle agent: long enough for a page reload or a short
/// break.
pub const HUB_IDLE_TTL: Duration = Duration::from_mins(5);
/// Longer values make no sense for an unused sandbox.
pub const HUB_IDLE_TTL_MAX: Duration = Duration::from_hours(24 * 7);
/// How often live sessions are checked for eviction, at most: the time above is kept within this.
pub const HUB_LOOK_EVERY: Duration = Duration::from_secs(15);
/// Sessions that are evicted at once because they are idle: each copies its changes.
pub const HUB_EVICT_AT_ONCE: usize = 4;
/// Sessions that are handed over at once when a process shuts down: each is a write and a call.
pub const HUB_HAND_OVER_AT_ONCE: usize = 64;
/// How long a request for a session waits until its eviction has finished: below the time a request has.
pub const HUB_LEAVE_WAIT: Duration = Duration::from_secs(25);
/// The retry hint of a full instance: by then a session or two have been evicted.
pub const HUB_FULL_RETRY_AFTER: Duration = Duration::from_secs(10);
/// How long a session continues while its lease cannot be confirmed, because the coordination service does not
/// respond: its restart takes seconds, a failover a minute or two. Meanwhile only the database decides who owns
/// the session.
pub const OWNER_UNCONFIRMED_MAX: Duration = Duration::from_mins(5);
/// Pause before such a lease is requested again.
pub const OWNER_REGAIN_EVERY: Duration = Duration::from_secs(2);
/// Pause before the boot lock is requested again.
pub const BOOT_LOCK_EVERY: Duration = Duration::from_millis(500);
/// Attempts to get it: as long as the lock of a dead instance lives, and a little longer.
pub const BOOT_LOCK_TRIES: u32 = 70;
/// Sessions without an owner that one sweep takes over: the next sweep or other instances take the rest.
pub const HUB_ADOPT_BATCH_MAX: u32 = 20;
/// How old the last change of a session must be before it counts as abandoned by its owner: a boot records progress
/// more often.
pub const HUB_ADOPT_AFTER: Duration = Duration::from_secs(15);
/// Longest connection setup to another instance; they are in one data center.
pub const FORWARD_CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Connections to other instances that are kept open without a request, to each.
pub const FORWARD_IDLE_CONNECTIONS_MAX: usize = 16;
/// Bytes that are copied at once in each direction of a forwarded WebSocket.
pub const FORWARD_BUFFER_BYTES: usize = 16 * 1024;
/// How long an instance that drains waits for another to take over a session: opening one is a few calls. Then the next
/// instance is asked: this one may be stuck, and still count as alive.
pub const HAND_OVER_ASK_AGAIN: Duration = Duration::from_millis(500);
/// Instances that are asked to take over a session. After that the session is opened by whichever instance
/// its next client reaches.
pub const HAND_OVER_TRIES: u32 = 4;
/// Longest that clients of such a session stay connected to the old owner: all attempts, and the writes before them.
pub const HAND_OVER_WATCHED_MAX: Duration = Duration::from_secs(4);
/// Poll interval for whether the session was taken over: clients wait for it.
pub const HAND_OVER_LOOK_EVERY: Duration = Duration::from_millis(5);
/// Sessions that this instance takes over at once at the request of others: each reads a log.
pub const ADOPT_AT_ONCE: usize = 32;
/// Pause before a draining instance that still has sessions checks the rest again: a session was being opened.
pub const DRAIN_LOOK_EVERY: Duration = Duration::from_millis(100);
/// How long a sandbox without a session is kept, from when that is noticed: the instance that creates one records it
/// within minutes, and the rest is time for an operator to inspect it.
pub const ORPHAN_GRACE: Duration = Duration::from_hours(1);
/// Every so many ownership sweeps one is thorough: a few minutes apart, because it reads every sandbox's session
/// from the database.
pub const SWEEP_THOROUGH_EVERY: u32 = 20;
/// Sessions that one sweep takes over or pauses: the next sweep or other instances handle the rest.
pub const SWEEP_SESSIONS_MAX: usize = 20;
