//! Booting a session.

use std::{ops::Range, time::Duration};

/// Where the agent listens in its sandbox, unless the provider gives it another port.
pub const AGENT_PORT: u16 = 4096;
/// Ports for programs that are told where to listen. Below those that the kernel hands to clients (32768 and up), so that
/// no connection sits on one before its program listens, or while that is away; and many, so that two that choose at
/// once rarely choose the same.
pub const SERVER_PORTS: Range<u16> = 10_000..30_000;
/// Longest an agent may take to answer: it takes 3 s on an idle machine, 8 s on a busy one, and more than a minute in a
/// container on one that starts six others meanwhile.
pub const AGENT_BOOT_MAX: Duration = Duration::from_mins(2);
/// From one look at whether an agent that does not answer yet has ended to the next: what somebody whose agent cannot
/// start waits too long. In a container each look starts a program, which takes a tenth of a second and more.
pub const AGENT_BOOT_LOOK_EVERY: Duration = Duration::from_millis(500);
/// Longest a repository may take to be cloned: the largest of common ones have a few gigabytes.
pub const REPO_CLONE_TIMEOUT: Duration = Duration::from_mins(10);
/// Longest the workspace may take to be prepared, which is a dozen small programs.
pub const SANDBOX_SETTLE_TIMEOUT: Duration = Duration::from_secs(30);
/// Longest all sessions of a process may take to be put away when it ends: each is saved, and a snapshot of a big
/// workspace takes seconds. What stops processes usually waits half a minute before it kills them.
pub const HOUSE_CLOSE_MAX: Duration = Duration::from_secs(25);
/// Where the helper's daemon listens in a sandbox, and where it shows the port that was exposed, unless the provider
/// gives them others.
pub const DAEMON_PORT: u16 = 4000;
pub const PREVIEW_PORT: u16 = 20_000;
/// Longest that env files may take to be written, scrubbed or put back: each is a program that works on ten files.
pub const ENV_FILES_TIMEOUT: Duration = Duration::from_secs(15);
/// Names of variables that were left out of a sandbox and are told in one sentence; of more, the count is told.
pub const LEFT_OUT_TOLD_MAX: usize = 8;
/// Bytes of all values that people gave one sandbox, as the helper bounds them.
pub const ENV_VALUES_BYTES_MAX: usize = 1024 * 1024;
/// Longest until the services of a configuration were told to start; the daemon may still be on its way up.
pub const SERVICES_START_TIMEOUT: Duration = Duration::from_mins(1);
/// Sandboxes that are put away at once: each copies what its session changed, so the disk is the bound.
pub const HOUSE_CLOSE_AT_ONCE: usize = 4;

// --- Evidence -----------------------------------------------------------------------------------

/// Files that one `verify` takes: screenshots, logs and reports of one piece of work.
pub const VERIFY_FILES_MAX: usize = 100;
/// Bytes of one of them: a short recording of a screen. No more than is read from a sandbox at once.
pub const VERIFY_FILE_BYTES_MAX: u64 = 25 * 1024 * 1024;
/// Bytes of all of them.
pub const VERIFY_BYTES_MAX: u64 = 100 * 1024 * 1024;
/// Bytes of the list that names them: each file has a path, a digest and a media type.
pub const VERIFY_LIST_BYTES_MAX: u64 = 1024 * 1024;
/// Folders below the one that is named, down a path and in all.
pub const VERIFY_DEPTH_MAX: usize = 8;
pub const VERIFY_FOLDERS_MAX: usize = 200;
/// Files that were left out and are named in the answer.
pub const VERIFY_SKIPPED_SHOWN_MAX: usize = 20;
/// How long a browser may keep evidence: it never changes, but who may see it does.
pub const VERIFY_CACHE: Duration = Duration::from_hours(1);
/// Longest an agent may go on with its turn when its process ends: most answers are over by then, and there has to be
/// time left to save the sandbox.
pub const HOUSE_CLOSE_TURN_MAX: Duration = Duration::from_secs(5);

/// Bytes of what a program wrote that the gateway's own log has when a boot fails: the last lines.
pub const BOOT_OUTPUT_LOGGED_BYTES: usize = 4 * 1024;

// --- The daemon in a sandbox ----------------------------------------------------------------------

/// Longest for one request to a sandbox's daemon; it bounds its own at half a minute.
pub const DAEMON_REQUEST_TIMEOUT: Duration = Duration::from_secs(40);
/// The same for a push, which the daemon gives five minutes.
pub const DAEMON_PUSH_TIMEOUT: Duration = Duration::from_secs(310);
/// Longest until a connection into a sandbox stands.
pub const DAEMON_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Largest list of services: fifty, each with a command line of 8 KiB.
pub const DAEMON_SERVICES_BYTES_MAX: usize = 1024 * 1024;
/// Largest state of a repository: two thousand files with paths of 500 bytes.
pub const DAEMON_STATE_BYTES_MAX: usize = 1024 * 1024;
/// Largest diff: the 64 KiB that the daemon gives, each byte escaped.
pub const DAEMON_DIFF_BYTES_MAX: usize = 512 * 1024;
/// Largest other answer of a daemon: what came of a change, or the one service that was started.
pub const DAEMON_SHORT_ANSWER_BYTES_MAX: usize = 64 * 1024;
/// Memory that an answer of a daemon may take once it is parsed, as it is estimated before: a state of some thousand
/// files takes one megabyte.
pub const DAEMON_ANSWER_MEMORY_MAX: usize = 4 * 1024 * 1024;
/// How long a command that starts a service is watched when it is tried: what does not come up says so by then.
pub const AUTO_START_TEST_WAIT: Duration = Duration::from_secs(10);
/// Bytes shown of what each of them says.
pub const AUTO_START_OUTPUT_BYTES_MAX: usize = 16 * 1024;
