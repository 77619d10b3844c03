//! Every bound of the command, with the reason for its number.

use std::time::Duration;

/// How long `run` and `wait` wait unless told otherwise. Shells of coding agents commonly end a command
/// after two minutes; a command that ends before that can still say how to go on.
pub(crate) const WAIT_SECONDS_DEFAULT: u64 = 100;
/// The longest wait of one command. Approvals take minutes; a caller that waits longer starts again with
/// `wait`, and so learns a new gateway address or token.
pub(crate) const WAIT_SECONDS_MAX: u64 = 3600;
/// How long requests to a gateway that does not respond are repeated, however short the wait: a gateway that is
/// replaced is back within seconds.
pub(crate) const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// Longer than a gateway lets a request take, so that its own answer comes first.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(40);
/// The least that a request is given when the deadline is near; less could not answer.
pub(crate) const REQUEST_TIMEOUT_MIN: Duration = Duration::from_secs(1);
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Between two looks at an invocation: a user who approved does not notice it.
pub(crate) const POLL_EVERY: Duration = Duration::from_secs(2);
/// The first pause after a request without an answer; each further one is twice as long.
pub(crate) const BACKOFF_FIRST: Duration = Duration::from_millis(250);
/// The longest of these pauses, so that a gateway that is back is noticed soon.
pub(crate) const BACKOFF_MAX: Duration = Duration::from_secs(5);
/// Owners that one request is sent on to. One is usual, two happen while a session moves; more is a circle.
pub(crate) const OWNER_HOPS_MAX: usize = 3;
/// Bytes of an owner's URL.
pub(crate) const OWNER_URL_BYTES_MAX: usize = 2048;
/// Bytes of params: a gateway takes a body of 1 MiB, and there is more in it than params.
pub(crate) const PARAMS_BYTES_MAX: usize = 1_000_000;
/// Bytes of an answer: far above any list, and printed without filling a sandbox's memory.
pub(crate) const ANSWER_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Bytes of a token; a gateway looks at no more.
pub(crate) const TOKEN_BYTES_MAX: usize = 4096;
/// Characters of one line on stderr that came from elsewhere.
pub(crate) const TEXT_LENGTH_MAX: usize = 500;
/// Refused members that are named; more are not fixed in one go.
pub(crate) const FIELD_ERRORS_MAX: usize = 10;
/// Characters of an idempotency key, as a gateway takes it.
pub(crate) const IDEMPOTENCY_KEY_LENGTH_MAX: usize = 255;

// --- Files and env files ------------------------------------------------------------------------

/// Bytes of a path that is asked for; the kernel takes no longer one.
pub(crate) const PATH_BYTES_MAX: usize = 4096;
/// Bytes of an env file, or of all values: far above any that users write.
pub(crate) const ENV_BYTES_MAX: u64 = 1024 * 1024;
/// Bytes of what was scrubbed and waits to be put back: each file of a configuration as it was and as it is left,
/// in base64.
pub(crate) const HELD_BYTES_MAX: u64 = 10 * 2 * 2 * ENV_BYTES_MAX;
/// Bytes of one value. The kernel takes no longer text into the environment of a program.
pub(crate) const ENV_VALUE_BYTES_MAX: usize = 128 * 1024;
/// Values at once: a configuration has 10 files of 50 keys; the rest is what users add by hand.
pub(crate) const ENV_VALUES_MAX: usize = 2000;
/// How long a command waits for another that changes env files; one takes milliseconds.
pub(crate) const ENV_LOCK_WITHIN: Duration = Duration::from_secs(15);
/// Between two looks at that lock.
pub(crate) const ENV_LOCK_EVERY: Duration = Duration::from_millis(20);

/// How long requests to a daemon that does not listen are repeated: one that died is back within seconds.
pub(crate) const DAEMON_ANSWER_WITHIN: Duration = Duration::from_secs(10);

// --- Services -----------------------------------------------------------------------------------

/// Bytes of a service's name with odd ones written out: part of a file's name, which ends at 255, and room
/// for the hundred characters that a configuration allows.
pub(crate) const SERVICE_NAME_BYTES_MAX: usize = 200;
/// What `services logs` shows unless told otherwise: about what fits a screen or two.
pub(crate) const LOG_TAIL_BYTES_DEFAULT: u64 = 10_000;
/// The most of it: an answer that fits a model's context, and no sandbox's memory is filled.
pub(crate) const LOG_TAIL_BYTES_MAX: u64 = 1_000_000;
/// Bytes of each of the two files that a service's log is kept in: days of an ordinary server, and all of
/// a sandbox's services together stay far below its disk.
pub(crate) const LOG_BYTES_MAX: u64 = 5 * 1024 * 1024;
/// How long the log of a service that ended is read on; only something that left the service holds it.
pub(crate) const LOG_DRAIN_WITHIN: Duration = Duration::from_secs(1);
/// Services of one sandbox: a configuration has ten; the rest are what an agent tries out.
pub(crate) const SERVICES_MAX: usize = 50;
/// Bytes of a command line; a configuration allows a thousand characters.
pub(crate) const SERVICE_COMMAND_BYTES_MAX: usize = 8 * 1024;
/// How long the process that holds a service may take to start it, on a machine that is busy.
pub(crate) const START_WITHIN: Duration = Duration::from_secs(10);
/// How long a service may take to stop once it is asked to: databases write to disk then.
pub(crate) const STOP_GRACE: Duration = Duration::from_secs(5);
/// The same for what a service left behind when it ended by itself.
pub(crate) const LEFTOVERS_WITHIN: Duration = Duration::from_secs(2);
/// How long the kernel may take to end what was killed.
pub(crate) const KILL_WITHIN: Duration = Duration::from_secs(2);
/// Between two looks at what is still there.
pub(crate) const ENDING_EVERY: Duration = Duration::from_millis(20);
/// Before the first restart; each further one waits twice as long.
pub(crate) const RESTART_PAUSE_FIRST: Duration = Duration::from_millis(500);
pub(crate) const RESTART_PAUSE_MAX: Duration = Duration::from_secs(30);
/// Restarts in a row after which it counts as failed: about half a minute of trying.
pub(crate) const RESTARTS_IN_A_ROW_MAX: u32 = 6;
/// A service that ran so long was well, and its next failure is a first one.
pub(crate) const STABLE_AFTER: Duration = Duration::from_mins(1);

// --- Daemon -------------------------------------------------------------------------------------

/// Connections at once: a gateway, a few users' browsers behind it, and commands of the agent.
pub(crate) const CONNECTIONS_MAX: usize = 128;
/// The pause after a connection could not be accepted.
pub(crate) const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How long the head of a request may take, and an idle connection may stay.
pub(crate) const HEADERS_WITHIN: Duration = Duration::from_secs(30);
pub(crate) const HEADERS_MAX: usize = 64;
/// Bytes of a request's head: a path of 4 KiB three times encoded, a token, and what proxies add.
pub(crate) const HEADERS_BYTES_MAX: usize = 32 * 1024;
/// How long a request may take; the longest stops a service that does not want to, and starts it again.
pub(crate) const REQUEST_WITHIN: Duration = Duration::from_secs(30);
/// Bytes of a JSON body: a commit that names a thousand files.
pub(crate) const JSON_BYTES_MAX: usize = 1024 * 1024;
/// Bytes of a file that is read or written over HTTP: what a user looks at, not what is built.
pub(crate) const FILE_BYTES_MAX: u64 = 8 * 1024 * 1024;
/// Entries of a directory that are listed: more than a user scrolls through.
pub(crate) const DIRECTORY_ENTRIES_MAX: usize = 2000;
/// Between two looks at a log that is followed.
pub(crate) const FOLLOW_EVERY: Duration = Duration::from_millis(250);
/// Bytes of one event of such a log.
pub(crate) const FOLLOW_BYTES_MAX: usize = 64 * 1024;
/// Looks without news after which a comment is sent: every 15 seconds.
pub(crate) const FOLLOW_QUIET_ROUNDS_MAX: usize = 60;
/// Directories below the workspace in which repositories are looked for, how deep, and how many are shown.
pub(crate) const REPOS_LOOKED_AT_MAX: usize = 5000;
pub(crate) const REPOS_DEPTH_MAX: usize = 3;
pub(crate) const REPOS_MAX: usize = 50;
/// How long git may take; a status of a large repository with a cold disk takes seconds.
pub(crate) const GIT_WITHIN: Duration = Duration::from_secs(20);
/// How long a push may take: it is as large as what was done in the sandbox, on the operator's line.
pub(crate) const GIT_PUSH_WITHIN: Duration = Duration::from_mins(5);
/// Bytes kept of what git says when it changes something; a line of it is shown.
pub(crate) const GIT_COMPLAINT_BYTES_MAX: u64 = 64 * 1024;
/// Commits of a branch that users are shown, and the bytes of them: subjects are lines.
pub(crate) const LOG_COMMITS_MAX: usize = 20;
pub(crate) const LOG_COMMITS_BYTES_MAX: u64 = 64 * 1024;
/// Bytes of a diff, as users read it.
pub(crate) const DIFF_BYTES_MAX: u64 = 64 * 1024;
/// Bytes of a status, and the files of it that are shown.
pub(crate) const STATUS_BYTES_MAX: u64 = 4 * 1024 * 1024;
pub(crate) const STATUS_FILES_MAX: usize = 2000;
/// The longest pause before a daemon that died is started again: its clients wait this long.
pub(crate) const DAEMON_PAUSE_MAX: Duration = Duration::from_secs(5);
/// Terminals at once: a few users with a few each.
pub(crate) const TERMINALS_MAX: usize = 16;
/// Bytes of one frame: a large text that is pasted; larger ones come in several.
pub(crate) const TERMINAL_FRAME_BYTES_MAX: usize = 256 * 1024;
/// Bytes that wait for a slow reader; more stops the program that prints.
pub(crate) const TERMINAL_WRITE_BYTES_MAX: usize = 512 * 1024;
/// Between two signs of life, which proxies and firewalls want to see within a minute.
pub(crate) const TERMINAL_PING_EVERY: Duration = Duration::from_secs(25);
/// Without any frame for so long, answers to signs of life included, the client counts as gone.
pub(crate) const TERMINAL_SILENCE_MAX: Duration = Duration::from_secs(90);
/// How long the last output of a shell that ended is read on.
pub(crate) const TERMINAL_DRAIN_WITHIN: Duration = Duration::from_millis(500);
/// How long programs may take to end after a terminal was closed, and again once they are killed.
pub(crate) const TERMINAL_HANGUP_WITHIN: Duration = Duration::from_secs(1);
/// Connections to the preview at once: a browser opens six for each host and user.
pub(crate) const PREVIEWS_MAX: usize = 256;
/// How long a connection within this machine may take.
pub(crate) const PREVIEW_CONNECT_WITHIN: Duration = Duration::from_secs(2);
