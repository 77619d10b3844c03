//! Many instances: who has a session, how long it stays, and how requests find it.

use std::time::Duration;

/// Live sessions of one process. Each has some tasks and up to some megabytes of its conversation: half a thousand is
/// what a small machine holds.
pub const HUBS_MAX: usize = 500;
/// One in so many of them is what an organization leaves to others, so that one with many sessions cannot keep another
/// from opening its first. Small enough that an organization alone hardly notices.
pub const HUBS_RESERVED_PART: usize = 10;
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
/// How long an instance that leaves waits for another to take a session that it was asked to take: opening one is a few
/// calls. Then the next is asked: this one may be stuck, and still count as alive.
pub const HAND_OVER_ASK_AGAIN: Duration = Duration::from_millis(500);
/// Instances that are asked to take a session. Whoever comes for it afterwards opens it wherever they come.
pub const HAND_OVER_TRIES: u32 = 4;
/// Longest that clients of such a session stay connected to where nothing happens any more: all tries, and what had to be
/// written before.
pub const HAND_OVER_WATCHED_MAX: Duration = Duration::from_secs(4);
/// Pause between two looks whether the session was taken: clients wait for it.
pub const HAND_OVER_LOOK_EVERY: Duration = Duration::from_millis(5);
/// Sessions that other instances ask this one to take at once: each reads a log.
pub const ADOPT_AT_ONCE: usize = 32;
/// Pause before an instance that is not empty yet looks again at what is left: somebody was opening a session.
pub const DRAIN_LOOK_EVERY: Duration = Duration::from_millis(100);
/// How long a sandbox goes on that no session has, from when that is noticed: whoever makes one writes it down within
/// minutes, and a person who wants to look at what is left in it has the rest.
pub const ORPHAN_GRACE: Duration = Duration::from_hours(1);
/// Of the looks at what nobody looks after, every so many is thorough: a few minutes apart, because it reads every
/// sandbox's session from the database.
pub const SWEEP_THOROUGH_EVERY: u32 = 20;
/// Sessions that one look takes over or pauses: the others are the next look's, or other instances'.
pub const SWEEP_SESSIONS_MAX: usize = 20;
