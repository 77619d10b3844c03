//! Durable jobs, and the move of a session to a fresh sandbox.

use std::time::Duration;

// --- Jobs ---------------------------------------------------------------------------------------

/// How often a process looks for jobs that are due: they are about minutes, and a look is one short read.
pub const JOBS_LOOK_EVERY: Duration = Duration::from_secs(1);
/// Jobs that a process does at once, half of them for one organization: each may make a sandbox, which takes a processor
/// for seconds, and four of those are what a small machine bears.
pub const JOBS_AT_ONCE_MAX: usize = 8;
/// How long a job is its process's without a word: whoever died gives it back by then.
pub const JOB_CLAIM: Duration = Duration::from_mins(1);
/// How often that is renewed while the job runs: twice may fail.
pub const JOB_RENEW_EVERY: Duration = Duration::from_secs(20);
/// Longest that a job may run: a snapshot of a large workspace and a boot, with their retries.
pub const JOB_TIME_MAX: Duration = Duration::from_mins(10);
/// Times that a job is tried: with the pauses below about half an hour.
pub const JOB_ATTEMPTS_MAX: u32 = 8;
/// Pause after the first failure; each next is twice as long.
pub const JOB_PAUSE: Duration = Duration::from_secs(10);
/// The longest of them.
pub const JOB_PAUSE_MAX: Duration = Duration::from_mins(10);
/// Characters of the reason of a failure that are kept.
pub const JOB_ERROR_LENGTH_MAX: usize = 500;
/// How long jobs that are over can be looked at.
pub const JOB_RETENTION: Duration = Duration::from_hours(24 * 7);
/// Jobs that one sweep forgets.
pub const JOB_SWEEP_BATCH_MAX: u32 = 500;

// --- Budgets ------------------------------------------------------------------------------------

/// Sessions that one change of a budget lets go on by itself: each is a row in the transaction of the change, and an
/// agent that comes up. More of them go on when somebody says something to them.
pub const BUDGET_RAISE_SESSIONS_MAX: u32 = 1000;
/// How often the instance that serves a session is told that its budget was raised: what it does not hear is not kept.
pub const GO_ON_ASK_EVERY: Duration = Duration::from_secs(20);
/// For how long: one that lost its connection to the others has it back by then, or has lost the session.
pub const GO_ON_ASK_FOR: Duration = Duration::from_mins(1);

// --- Migration ----------------------------------------------------------------------------------

/// How long before its sandbox ends a session is moved: retries of a snapshot, a boot on a busy machine and one more
/// try of all of it fit.
pub const MIGRATION_AHEAD: Duration = Duration::from_mins(5);
/// How often live sessions are looked at whether one is to be moved: far below the time above.
pub const MIGRATION_LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long the agent may go on with its turn before it is stopped: most answers are over by then.
pub const MIGRATION_SETTLE_MAX: Duration = Duration::from_secs(30);
/// Longest until an agent that is stopped says so.
pub const MIGRATION_CANCEL_MAX: Duration = Duration::from_secs(5);
/// How often it is looked whether the agent has ended its turn.
pub const MIGRATION_SETTLE_EVERY: Duration = Duration::from_millis(50);
/// How long programs in the sandbox may go on writing to the workspace; then it is saved as it is.
pub const MIGRATION_QUIESCE_MAX: Duration = Duration::from_secs(10);
/// How often they are looked at; each look is a program in the sandbox.
pub const MIGRATION_QUIESCE_EVERY: Duration = Duration::from_secs(1);
/// Longest that one look may take.
pub const MIGRATION_QUIESCE_LOOK_MAX: Duration = Duration::from_secs(2);
/// Pauses before a snapshot that failed is tried again.
pub const MIGRATION_SNAPSHOT_PAUSES: [Duration; 3] = [
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
];
/// What has to be left of the old sandbox's life for a boot: as long as an agent may take, and its files.
pub const MIGRATION_BOOT_RESERVE: Duration = Duration::from_secs(90);
/// When a move that came to nothing is tried again.
pub const MIGRATION_RETRY_AFTER: Duration = Duration::from_mins(2);
/// Moves of one session in a row that may come to nothing before nobody tries by itself any more.
pub const MIGRATION_TRIES_MAX: u32 = 5;
/// When the job looks again at a session that somebody serves: that instance moves it by its own clock.
pub const MIGRATION_DEFER: Duration = Duration::from_mins(1);
/// When the job for a sandbox that was left behind is due: whoever left it removes it at once, and is followed only if
/// it died.
pub const SANDBOX_REMOVE_AFTER: Duration = Duration::from_secs(30);
/// Shortest life of a sandbox that may be asked for: twice the time in which its session is moved.
pub const SANDBOX_LIFETIME_MIN: Duration = Duration::from_mins(10);
/// Longest: one that lives for months is better given none.
pub const SANDBOX_LIFETIME_MAX: Duration = Duration::from_hours(24 * 30);
