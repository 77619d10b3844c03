//! Callbacks: the tools of a sandbox that the gateway does.

use std::time::Duration;

/// Longest id of a call: models' ids have about 30 characters, UUIDs 36.
pub const TOOL_CALL_ID_LENGTH_MAX: usize = 200;
/// How long a callback is kept waiting before it is told to ask again: below the time after which the agent's
/// own module gives an attempt up, so that the answer and not the silence decides.
pub const CALLBACK_WAIT: Duration = Duration::from_secs(15);
/// When to ask again for what is still under way: at once, as asking joins it and waits.
pub const CALLBACK_RETRY_AFTER: Duration = Duration::from_secs(1);
/// The time over which calls of a tool are counted.
pub const CALLBACK_QUOTA_WINDOW: Duration = Duration::from_hours(1);
/// Calls of a tool by one session in that time: a person at work saves less often, and a compromised sandbox
/// must not fill the storage.
pub const CALLBACK_QUOTA: u32 = 10;
/// The same for evidence, which is uploaded after each try.
pub const CALLBACK_VERIFY_QUOTA: u32 = 20;
/// The same for pushes: one a minute, which no work needs, so that a loop does not fill the record.
pub const CALLBACK_PUSH_QUOTA: u32 = 60;
