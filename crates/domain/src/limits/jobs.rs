//! Durable jobs, and the migration of a session to a fresh sandbox.

use std::time::Duration;

// --- Jobs ---------------------------------------------------------------------------------------

/// How often a process looks for jobs that are due: delays are minutes, and a poll is one short read.
pub const JOBS_LOOK_EVERY: Duration = Duration::from_secs(1);
/// Jobs that a process runs at once, half of them for one organization: each may create a sandbox, which uses a
/// processor for seconds, and a small machine can run four of those.
pub const JOBS_AT_ONCE_MAX: usize = 8;
/// How long a claim on a job lasts without renewal: the job of a dead process is free by then.
pub const JOB_CLAIM: Duration = Duration::from_mins(1);
/// How often that is renewed while the job runs: two renewals may fail.
pub const JOB_RENEW_EVERY: Duration = Duration::from_secs(20);
/// Longest that a job may run: a snapshot of a large workspace and a boot, with their retries.
pub const JOB_TIME_MAX: Duration = Duration::from_mins(10);
/// Times that a job is tried: with the pauses below about half an hour.
pub const JOB_ATTEMPTS_MAX: u32 = 8;
/// Pause after the first failure; each next is twice as long.
pub const JOB_PAUSE: Duration = Duration::from_secs(10);
/// The longest of these pauses.
pub const JOB_PAUSE_MAX: Duration = Duration::from_mins(10);
/// Characters of the reason of a failure that are kept.
pub const JOB_ERROR_LENGTH_MAX: usize = 500;
/// How long finished jobs are kept.
pub const JOB_RETENTION: Duration = Duration::from_hours(24 * 7);
/// Jobs that one sweep deletes.
pub const JOB_SWEEP_BATCH_MAX: u32 = 500;

// --- Budgets ------------------------------------------------------------------------------------

/// Sessions that one change of a budget resumes automatically: each is a row in the transaction of the change, and
/// an agent that boots. The others resume with their next message.
pub const BUDGET_RAISE_SESSIONS_MAX: u32 = 1000;
/// How often the instance that serves a session is notified that its budget was raised: a lost notification is not
/// kept.
pub const GO_ON_ASK_EVERY: Duration = Duration::from_secs(20);
/// For how long: an instance that lost its connection to coordination has it back by then, or has lost
/// the session.
pub const GO_ON_ASK_FOR: Duration = Duration::from_mins(1);

// --- Migration ----------------------------------------------------------------------------------

/// How long before its sandbox expires a session is migrated: retries of a snapshot, a boot on a busy machine and
/// one more attempt of all of it fit.
pub const MIGRATION_AHEAD: Duration = Duration::from_mins(5);
/// How often live sessions are checked for a due migration: far below the time above.
pub const MIGRATION_LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long the agent may continue its turn before it is stopped: most answers are over by then.
pub const MIGRATION_SETTLE_MAX: Duration = Duration::from_secs(30);
/// Longest until a stopped agent confirms it.
pub const MIGRATION_CANCEL_MAX: Duration = Duration::from_secs(5);
/// Poll interval for whether the agent has ended its turn.
pub const MIGRATION_SETTLE_EVERY: Duration = Duration::from_millis(50);
/// How long programs in the sandbox may continue writing to the workspace; then it is saved as it
/// is.
pub const MIGRATION_QUIESCE_MAX: Duration = Duration::from_secs(10);
/// How often they are checked; each check is a program in the sandbox.
pub const MIGRATION_QUIESCE_EVERY: Duration = Duration::from_secs(1);
/// Longest that one check may take.
pub const MIGRATION_QUIESCE_LOOK_MAX: Duration = Duration::from_secs(2);
/// Pauses before a snapshot that failed is tried again.
pub const MIGRATION_SNAPSHOT_PAUSES: [Duration; 3] = [
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
];
/// Minimum remaining life of the old sandbox for a boot: as long as an agent may take, and its files.
pub const MIGRATION_BOOT_RESERVE: Duration = Duration::from_secs(90);
/// When a failed migration is tried again.
pub const MIGRATION_RETRY_AFTER: Duration = Duration::from_mins(2);
/// Failed migrations of one session in a row before automatic retries end.
pub const MIGRATION_TRIES_MAX: u32 = 5;
/// When the job checks again a session that an instance serves: that instance migrates it by its own
/// clock.
pub const MIGRATION_DEFER: Duration = Duration::from_mins(1);
/// When the job for an abandoned sandbox is due: the instance that left it removes it at once, and the job is needed
/// only if that instance died.
pub const SANDBOX_REMOVE_AFTER: Duration = Duration::from_secs(30);
/// Shortest sandbox life that may be requested: twice the lead time of a migration.
pub const SANDBOX_LIFETIME_MIN: Duration = Duration::from_mins(10);
/// Longest: without an expiry is better than one of months.
pub const SANDBOX_LIFETIME_MAX: Duration = Duration::from_hours(24 * 30);
