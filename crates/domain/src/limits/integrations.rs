//! Bounds of connections to outside services: their tokens and how they come into being.

use std::time::Duration;

/// How long before its end a token is renewed, while the old one is still used: an hourly token is renewed
/// once an hour, and a service that is down for minutes is not noticed.
pub const TOKEN_RENEW_BEFORE: Duration = Duration::from_mins(5);
/// A token that ends sooner is not handed out without trying to renew it: longer than one call may take.
pub const TOKEN_USABLE_MIN: Duration = Duration::from_mins(1);
/// Longest request to a token endpoint, resolving its name included. They answer within a second; a call
/// waits for it.
pub const TOKEN_REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// How long one instance may renew before another takes over: a request, storing its answer, and the
/// difference between two machines' clocks.
pub const TOKEN_CLAIM: Duration = Duration::from_secs(30);
/// Pause after a renewal that failed for now, for all instances together.
pub const TOKEN_RENEW_PAUSE: Duration = Duration::from_secs(2);
/// How often a row is looked at that another instance renews, and how long: a request and storing its answer.
pub const TOKEN_POLL_EVERY: Duration = Duration::from_millis(100);
pub const TOKEN_WAIT_MAX: Duration = Duration::from_secs(12);
/// How often storing a renewed token is tried, and the pause between: what is not stored is lost.
pub const TOKEN_STORE_TRIES: u32 = 20;
pub const TOKEN_STORE_PAUSE: Duration = Duration::from_millis(500);
/// Bytes of an answer of a token endpoint: the longest known, Slack's, has 2 KB.
pub const TOKEN_REPLY_BYTES_MAX: usize = 64 * 1024;
/// Bytes of an access or refresh token: JWTs of large providers have 4 KB.
pub const TOKEN_BYTES_MAX: usize = 16 * 1024;
/// Longest life of a token that is believed; Linear has issued tokens for ten years.
pub const TOKEN_LIFE_MAX: Duration = Duration::from_hours(24 * 365 * 20);
/// Life of the proof with which we ask GitHub for a token; it takes at most ten minutes.
pub const GITHUB_APP_PROOF_LIFE: Duration = Duration::from_mins(9);
/// How far that proof is dated back: GitHub refuses one from its future.
pub const GITHUB_APP_PROOF_BACKDATE: Duration = Duration::from_mins(1);
/// Scopes of one connection; GitHub has about forty.
pub const SCOPES_MAX: usize = 100;

/// How long somebody may take to say yes at the service.
pub const CONNECT_ATTEMPT_LIFE: Duration = Duration::from_mins(10);
/// Attempts to connect of one organization that may be open at once. Each is a row of 500 bytes.
pub const CONNECT_ATTEMPTS_MAX: i64 = 50;
/// Characters in a code or state that comes back from a service.
pub const CONNECT_PARAMETER_LENGTH_MAX: usize = 4096;
