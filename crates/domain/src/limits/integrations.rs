//! Bounds of connections to outside services: their tokens and how they are set up.

use std::time::Duration;

/// How long before its end a token is renewed, while the old one is still used: an hourly token is renewed
/// once an hour, and a service that is down for minutes is not noticed.
pub const TOKEN_RENEW_BEFORE: Duration = Duration::from_mins(5);
/// A token that expires sooner is not used without trying to renew it: longer than one call may take.
pub const TOKEN_USABLE_MIN: Duration = Duration::from_mins(1);
/// Longest request to a token endpoint, resolving its name included. They respond within a second; a
/// call waits for it.
pub const TOKEN_REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// How long one instance may renew before another takes over: a request, storing its response, and
/// the difference between two machines' clocks.
pub const TOKEN_CLAIM: Duration = Duration::from_secs(30);
/// Pause after a renewal that failed temporarily, for all instances together.
pub const TOKEN_RENEW_PAUSE: Duration = Duration::from_secs(2);
/// How often a row that another instance renews is polled, and how long: a request and storing its response.
pub const TOKEN_POLL_EVERY: Duration = Duration::from_millis(100);
pub const TOKEN_WAIT_MAX: Duration = Duration::from_secs(12);
/// How often storing a renewed token is tried, and the pause between: a token that is not stored is
/// lost.
pub const TOKEN_STORE_TRIES: usize = 20;
pub const TOKEN_STORE_PAUSE: Duration = Duration::from_millis(500);
/// Bytes of a response of a token endpoint: the longest known, Slack's, has 2 KB.
pub const TOKEN_REPLY_BYTES_MAX: usize = 64 * 1024;
/// Bytes of an access or refresh token: JWTs of large providers have 4 KB.
pub const TOKEN_BYTES_MAX: usize = 16 * 1024;
/// Longest token life that is accepted; Linear has issued tokens for ten years.
pub const TOKEN_LIFE_MAX: Duration = Duration::from_hours(24 * 365 * 20);
/// Life of the JWT with which the gateway requests a token from GitHub; it takes at most ten
/// minutes.
pub const GITHUB_APP_PROOF_LIFE: Duration = Duration::from_mins(9);
/// How far that JWT is dated back: GitHub refuses one with a future time.
pub const GITHUB_APP_PROOF_BACKDATE: Duration = Duration::from_mins(1);
/// Scopes of one connection; GitHub has about forty.
pub const SCOPES_MAX: usize = 100;

/// How long a user may take to authorize the connection at the service.
pub const CONNECT_ATTEMPT_LIFE: Duration = Duration::from_mins(10);
/// Attempts to connect of one organization that may be open at once. Each is a row of 500 bytes.
pub const CONNECT_ATTEMPTS_MAX: i64 = 50;
/// Characters in a code or state that a service returns.
pub const CONNECT_PARAMETER_LENGTH_MAX: usize = 4096;
