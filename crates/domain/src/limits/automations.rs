//! Automations and their runs.

use std::time::Duration;

/// Automations of one organization: what people still find in a list.
pub const AUTOMATIONS_PER_ORGANIZATION_MAX: u32 = 200;
/// Characters in an automation's instructions. They are part of a run's first prompt, which may have twice as many.
pub const AUTOMATION_INSTRUCTIONS_LENGTH_MAX: usize = 100_000;
/// Runs of one automation at once. Each has a sandbox of its own.
pub const AUTOMATION_RUNS_ACTIVE_MAX: u32 = 10;
/// Longest idempotency key of a run: with the automation's id before it, it is the key of the run's session.
pub const AUTOMATION_RUN_KEY_LENGTH_MAX: usize = 200;
/// How long a run may take. The platforms around allow from one hour to six.
pub const AUTOMATION_RUN_LIFE: Duration = Duration::from_hours(2);
/// A run of which nothing was heard for so long is given up: longer than a silent agent is waited for, so that
/// whatever its hub still does about it has been done.
pub const AUTOMATION_RUN_SILENCE_MAX: Duration = Duration::from_mins(30);
/// Runs that one sweep ends.
pub const AUTOMATION_SWEEP_BATCH_MAX: u32 = 50;
/// Sandboxes of sessions that are over, put away in one sweep.
pub const SESSION_RELEASE_BATCH_MAX: u32 = 50;
/// How long an agent whose session is over may take to end its turn, so that its last words are on record.
pub const SESSION_END_GRACE: Duration = Duration::from_secs(15);
/// How often it is asked meanwhile.
pub const SESSION_END_LOOK_EVERY: Duration = Duration::from_millis(200);
/// What was to follow an end and did not within this time is done by a sweep: its process died. Four times the
/// grace, so that the sweep cuts no agent short.
pub const SESSION_END_FOLLOWS_MAX: Duration = Duration::from_mins(1);
