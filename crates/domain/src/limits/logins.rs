//! Bounds of people's logins in browsers.

use std::time::Duration;

/// How long a login lasts without use: over a working day, not over a night.
pub const LOGIN_IDLE_MAX: Duration = Duration::from_hours(12);
/// How long a login lasts however much it is used: a working week.
pub const LOGIN_LIFE: Duration = Duration::from_hours(7 * 24);
/// How often it is noted that a login is used: a write now and then instead of one with every request.
pub const LOGIN_SEEN_EVERY: Duration = Duration::from_mins(5);
/// Logins of one person in one organization: browsers and devices; the oldest makes room.
pub const LOGINS_PER_USER_MAX: u32 = 20;
/// How long a one-time link is good: long enough to find it in a terminal again, short enough for its history.
pub const LOGIN_CODE_LIFE: Duration = Duration::from_hours(1);
/// Logins and codes that a sweep takes away at once.
pub const LOGIN_SWEEP_MAX: u32 = 1000;

/// How long what a service says of itself and its keys is believed without asking again.
pub const OIDC_KEYS_LIFE: Duration = Duration::from_hours(1);
/// How long it is not asked again for a key that it did not have: words with invented keys cost it one request.
pub const OIDC_KEYS_PAUSE: Duration = Duration::from_mins(1);
/// Longest request to the service, resolving its name included.
pub const OIDC_REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of an answer of it: the longest known, a set of keys with certificates, has 30 KB.
pub const OIDC_REPLY_BYTES_MAX: usize = 256 * 1024;
/// How long somebody may take there.
pub const OIDC_ATTEMPT_LIFE: Duration = Duration::from_mins(10);
/// Characters of the page to go on to after a login.
pub const LOGIN_NEXT_LENGTH_MAX: usize = 500;
/// Bytes of an address, as mail has it.
pub const EMAIL_LENGTH_MAX: usize = 254;
