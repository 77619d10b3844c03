//! Booting a session.

use std::{ops::Range, time::Duration};

/// Where the agent listens in its sandbox, unless the provider gives it another port.
pub const AGENT_PORT: u16 = 4096;
/// Ports for programs with a configurable port. Below those that the kernel assigns to clients (32768 and up), so that
/// no connection occupies one before its program listens, or while that restarts; and many, so that two concurrent
/// choices rarely collide.
pub const SERVER_PORTS: Range<u16> = 10_000..30_000;
/// Longest an agent may take to respond: it takes 3 s on an idle machine, 8 s on a busy one, and more than a minute in
/// a container on one that starts six others meanwhile.
pub const AGENT_BOOT_MAX: Duration = Duration::from_mins(2);
/// Interval between two checks whether an agent that does not respond yet has exited: how much longer a user waits
/// whose agent cannot start. In a container each check starts a program, which takes a tenth of a second and more.
pub const AGENT_BOOT_LOOK_EVERY: Duration = Duration::from_millis(500);
/// Longest a repository may take to be cloned: the largest of common ones have a few gigabytes.
pub const REPO_CLONE_TIMEOUT: Duration = Duration::from_mins(10);
/// Longest the workspace may take to be prepared, which is a dozen small programs.
pub const SANDBOX_SETTLE_TIMEOUT: Duration = Duration::from_secs(30);
/// Longest that saving all sessions of a process may take at shutdown: each is saved, and a snapshot of a big
/// workspace takes seconds. Process managers usually wait half a minute before they kill a process.
pub const HUB_CLOSE_MAX: Duration = Duration::from_secs(25);
/// Where the helper's daemon listens in a sandbox, and where it serves the exposed port, unless the provider assigns
/// others.
pub const DAEMON_PORT: u16 = 4000;
pub const PREVIEW_PORT: u16 = 20_000;
/// Longest that env files may take to be written, scrubbed or put back: each is a program that works on ten files.
pub const ENV_FILES_TIMEOUT: Duration = Duration::from_secs(15);
/// Names of omitted variables that are listed in one message; of more, the count is given.
pub const LEFT_OUT_TOLD_MAX: usize = 8;
/// Bytes of all values that users set for one sandbox, as the helper bounds them.
pub const ENV_VALUES_BYTES_MAX: usize = 1024 * 1024;
/// Longest until the services of a configuration are requested to start; the daemon may still be booting.
pub const SERVICES_START_TIMEOUT: Duration = Duration::from_mins(1);
/// Sandboxes that are saved at once: each copies what its session changed, so the disk is the bound.
pub const HUB_CLOSE_AT_ONCE: usize = 4;

// --- Evidence -----------------------------------------------------------------------------------

/// Files that one `verify` takes: screenshots, logs and reports of one piece of work.
pub const VERIFY_FILES_MAX: usize = 100;
/// Bytes of one of them: a short recording of a screen. No more than is read from a sandbox at once.
pub const VERIFY_FILE_BYTES_MAX: u64 = 25 * 1024 * 1024;
/// Bytes of all of them.
pub const VERIFY_BYTES_MAX: u64 = 100 * 1024 * 1024;
/// Bytes of the list that names them: each file has a path, a digest and a media type.
pub const VERIFY_LIST_BYTES_MAX: u64 = 1024 * 1024;
/// Folders below the named one, down a path and in all.
pub const VERIFY_DEPTH_MAX: usize = 8;
pub const VERIFY_FOLDERS_MAX: usize = 200;
/// Omitted files that are named in the response.
pub const VERIFY_SKIPPED_SHOWN_MAX: usize = 20;
/// How long a browser may cache evidence: it never changes, but permissions do.
pub const VERIFY_CACHE: Duration = Duration::from_hours(1);
/// Longest an agent may continue its turn when its process shuts down: most turns are over by then, and there has to
/// be time left to save the sandbox.
pub const HUB_CLOSE_TURN_MAX: Duration = Duration::from_secs(5);

/// Bytes of a program's output that the gateway logs when a boot fails: the last lines.
pub const BOOT_OUTPUT_LOGGED_BYTES: usize = 4 * 1024;

// --- The daemon in a sandbox ----------------------------------------------------------------------

/// Longest request to a sandbox's daemon; it bounds its own at half a minute.
pub const DAEMON_REQUEST_TIMEOUT: Duration = Duration::from_secs(40);
/// The same for a push, which the daemon gives five minutes.
pub const DAEMON_PUSH_TIMEOUT: Duration = Duration::from_secs(310);
/// Longest connection setup into a sandbox.
pub const DAEMON_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Largest list of services: fifty, each with a command line of 8 KiB.
pub const DAEMON_SERVICES_BYTES_MAX: usize = 1024 * 1024;
/// Largest state of a repository: two thousand files with paths of 500 bytes.
pub const DAEMON_STATE_BYTES_MAX: usize = 1024 * 1024;
/// Largest diff: the 64 KiB that the daemon sends, each byte escaped.
pub const DAEMON_DIFF_BYTES_MAX: usize = 512 * 1024;
/// Largest other response of a daemon: the result of a change, or the one service that was started.
pub const DAEMON_SHORT_ANSWER_BYTES_MAX: usize = 64 * 1024;
/// Estimated memory of a parsed response of a daemon: a state of some thousand files takes one megabyte.
pub const DAEMON_ANSWER_MEMORY_MAX: usize = 4 * 1024 * 1024;
/// How long a command that starts a service is watched when it is tested: one that fails does so by then.
pub const AUTO_START_TEST_WAIT: Duration = Duration::from_secs(10);
/// Bytes shown of the output of each.
pub const AUTO_START_OUTPUT_BYTES_MAX: usize = 16 * 1024;
