//! Callbacks: the tools of a sandbox that run in the gateway.

use std::time::Duration;

/// Longest id of a call: models' ids have about 30 characters, UUIDs 36.
pub const TOOL_CALL_ID_LENGTH_MAX: usize = 200;
/// How long a callback waits before the response asks the client to retry: below the attempt timeout of the
/// agent's own module, so that a response and not a timeout decides.
pub const CALLBACK_WAIT: Duration = Duration::from_secs(15);
/// The retry hint for a call that is still running: at once, as the retry joins it and waits.
pub const CALLBACK_RETRY_AFTER: Duration = Duration::from_secs(1);
/// The time over which calls of a tool are counted.
pub const CALLBACK_QUOTA_WINDOW: Duration = Duration::from_hours(1);
/// Calls of a tool by one session in that time: a user saves less often, and a compromised sandbox must not
/// fill the storage.
pub const CALLBACK_QUOTA: u32 = 10;
/// The same for evidence, which is uploaded after each try.
pub const CALLBACK_VERIFY_QUOTA: u32 = 20;
/// The same for pushes: one a minute, which no work needs, so that a loop does not fill the record.
pub const CALLBACK_PUSH_QUOTA: u32 = 60;
