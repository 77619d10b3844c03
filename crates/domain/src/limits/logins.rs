//! Bounds of users' logins in browsers.

use std::time::Duration;

/// How long a login lasts without use: over a working day, not over a night.
pub const LOGIN_IDLE_MAX: Duration = Duration::from_hours(12);
/// How long a login lasts however much it is used: a working week.
pub const LOGIN_LIFE: Duration = Duration::from_hours(7 * 24);
/// How often the use of a login is recorded: a write now and then instead of one with every request.
pub const LOGIN_SEEN_EVERY: Duration = Duration::from_mins(5);
/// Logins of one user in one organization: browsers and devices; the oldest is removed.
pub const LOGINS_PER_USER_MAX: u32 = 20;
/// How long a one-time link is good: long enough to find it in a terminal again, short enough to be harmless
/// in the terminal's history.
pub const LOGIN_CODE_LIFE: Duration = Duration::from_hours(1);
/// Logins and codes that one sweep removes.
pub const LOGIN_SWEEP_MAX: u32 = 1000;

/// How long a terminal's login waits for a member: enough to sign in to a browser first.
pub const DEVICE_LOGIN_LIFE: Duration = Duration::from_mins(10);
/// How often a terminal may ask whether it was approved; RFC 8628 proposes five seconds.
pub const DEVICE_POLL_INTERVAL: Duration = Duration::from_secs(5);
/// Logins of terminals that wait at a time for one client address: an office behind one address signs in one by one.
pub const DEVICE_LOGINS_PER_CLIENT_MAX: i64 = 20;
/// The same for the whole installation: rows of 300 bytes, and few enough that eight letters cannot be guessed.
pub const DEVICE_LOGINS_MAX: i64 = 10_000;
/// User codes that one browser login may try in a minute: more than a person types.
pub const DEVICE_CODE_TRIES_MAX: u64 = 20;
/// The window of [`DEVICE_CODE_TRIES_MAX`].
pub const DEVICE_CODE_WINDOW: Duration = Duration::from_mins(1);
/// How long the API key of a terminal is good: a lost machine does not stay signed in for good.
pub const DEVICE_KEY_LIFE: Duration = Duration::from_hours(90 * 24);

/// How long the identity provider's metadata and keys are cached.
pub const OIDC_KEYS_LIFE: Duration = Duration::from_hours(1);
/// How long it is not asked again for a key that it did not have: tokens with invented key ids cost it one
/// request.
pub const OIDC_KEYS_PAUSE: Duration = Duration::from_mins(1);
/// Longest request to the identity provider, resolving its name included.
pub const OIDC_REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of a response of it: the longest known, a set of keys with certificates, has 30 KB.
pub const OIDC_REPLY_BYTES_MAX: usize = 256 * 1024;
/// How long a user may take to sign in there.
pub const OIDC_ATTEMPT_LIFE: Duration = Duration::from_mins(10);
/// Characters of the page to open after a login.
pub const LOGIN_NEXT_LENGTH_MAX: usize = 500;
/// Bytes of an e-mail address.
pub const EMAIL_LENGTH_MAX: usize = 254;

/// Groups of a user that are read from an ID token: directories have people in hundreds; the rest are ignored with a
/// warning in the log.
pub const OIDC_GROUPS_MAX: usize = 1000;
/// Bytes of an ID token that is kept to end the provider's session with. It goes into a URL, of which proxies take 8 KB.
pub const OIDC_ID_TOKEN_KEPT_BYTES_MAX: usize = 4096;
/// Bytes of the subject of a user; OpenID Connect Core allows 255.
pub const OIDC_SUBJECT_BYTES_MAX: usize = 255;
/// Bytes of the body of a back-channel logout; a logout token has less than 2 KB.
pub const OIDC_LOGOUT_BODY_BYTES_MAX: usize = 16 * 1024;
/// How old a logout token may be, and how long its id is remembered at least: providers send it at once, and repeat it
/// within minutes.
pub const OIDC_LOGOUT_TOKEN_AGE_MAX: Duration = Duration::from_mins(5);
/// Used states and logout tokens that one sweep removes.
pub const OIDC_USED_SWEEP_MAX: u32 = 1000;
