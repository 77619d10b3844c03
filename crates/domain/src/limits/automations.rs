//! Automations and their runs.

use std::time::Duration;

/// Automations of one organization: what users can still find in a list.
pub const AUTOMATIONS_PER_ORGANIZATION_MAX: u32 = 200;
/// Characters in an automation's instructions. They are part of a run's first prompt, which may have twice as many.
pub const AUTOMATION_INSTRUCTIONS_LENGTH_MAX: usize = 100_000;
/// Runs of one automation at once. Each has a sandbox of its own.
pub const AUTOMATION_RUNS_ACTIVE_MAX: u32 = 10;
/// Longest idempotency key of a run: with the automation's id before it, it is the key of the run's session.
pub const AUTOMATION_RUN_KEY_LENGTH_MAX: usize = 200;
/// How long a run may take. Comparable platforms allow from one hour to six.
pub const AUTOMATION_RUN_LIFE: Duration = Duration::from_hours(2);
/// A run without any event for this long is ended: longer than the hub waits for a silent agent, so that the
/// hub has finished its own handling.
pub const AUTOMATION_RUN_SILENCE_MAX: Duration = Duration::from_mins(30);
/// Runs that one sweep ends.
pub const AUTOMATION_SWEEP_BATCH_MAX: u32 = 50;
/// Sandboxes of ended sessions that one sweep removes.
pub const SESSION_RELEASE_BATCH_MAX: u32 = 50;
/// How long an agent whose session is over may take to end its turn, so that its last message is recorded.
pub const SESSION_END_GRACE: Duration = Duration::from_secs(15);
/// How often its state is polled meanwhile.
pub const SESSION_END_LOOK_EVERY: Duration = Duration::from_millis(200);
/// Follow-up work of an ended session that was not done within this time is done by a sweep: its process died.
/// Four times the grace, so that the sweep cuts no agent short.
pub const SESSION_END_FOLLOWS_MAX: Duration = Duration::from_mins(1);
