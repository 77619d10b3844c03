//! Every bound of the product, with the reason for its number. Nothing is unbounded: a queue,
//! cache, body, list, retry or wait that has no name here is a defect.

mod actions;
mod agent;
mod automations;
mod callbacks;
mod capacities;
mod connections;
mod fleet;
mod git;
mod intake;
mod integrations;
mod jobs;
mod live;
mod locks;
mod logins;
mod mail;
mod mcp;
mod members;
mod model;
mod organization_limits;
mod organizations;
mod runtime;
mod sandbox;
mod sharing;
mod webhooks;

use std::time::Duration;

pub use actions::*;
pub use agent::*;
pub use automations::*;
pub use callbacks::*;
pub use capacities::*;
pub use connections::*;
pub use fleet::*;
pub use git::*;
pub use intake::*;
pub use integrations::*;
pub use jobs::*;
pub use live::*;
pub use locks::*;
pub use logins::*;
pub use mail::*;
pub use mcp::*;
pub use members::*;
pub use model::*;
pub use organization_limits::*;
pub use organizations::*;
pub use runtime::*;
pub use sandbox::*;
pub use sharing::*;
pub use webhooks::*;

// --- Requests -----------------------------------------------------------------------------------

/// Largest JSON body. A session with 100 environment variables and a long prompt is under 200 KB.
pub const REQUEST_BODY_BYTES_MAX: usize = 1024 * 1024;
/// Longest a request may take before the response is 503. Above every database timeout below, so
/// that the more precise error wins.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// Requests served at once by one instance, once for people and once more for sandboxes; beyond it callers get 503
/// with Retry-After at once instead of waiting in a queue that no metric shows.
pub const REQUESTS_IN_FLIGHT_MAX: usize = 1024;
/// How long the results of `/ready` are cached: load balancers ask every second or two, without a credential.
pub const READINESS_FRESH: Duration = Duration::from_secs(1);
/// Lowest average rate of a request body, an upload included: a bad mobile connection carries twice as much.
pub const BODY_BYTES_PER_SECOND_MIN: u64 = 8 * 1024;
/// How far a body may fall behind that, and so its longest pause: a brief interruption is over by then.
pub const BODY_GRACE: Duration = Duration::from_secs(10);
/// Bytes that are reserved before a body arrives. A usual request fits; more is reserved as it arrives.
pub const BODY_FIRST_BYTES: usize = 64 * 1024;
/// Longest that a client may leave sent data unread: a client that is frozen for a snapshot resumes sooner.
pub const SEND_STALL_MAX: Duration = Duration::from_mins(2);
/// How long a shutdown waits for requests under way: longer than a request may take would be
/// pointless, and orchestrators commonly kill after 30 s.
pub const SHUTDOWN_DRAIN: Duration = Duration::from_secs(20);
/// Longest header-supplied idempotency key; a UUID has 36 characters, a content hash 64.
pub const IDEMPOTENCY_KEY_LENGTH_MAX: usize = 255;
/// Longest bearer token we look at; a JWT of ours has about 400 bytes.
pub const BEARER_TOKEN_BYTES_MAX: usize = 4096;
/// Signed tokens of a kind whose verification is cached; of some 300 bytes each, little more than a megabyte, and more
/// users than one instance serves at a time.
pub const TOKENS_BELIEVED_MAX: usize = 4096;
/// Depth of JSON that is hashed: deeper than any tool's parameters, shallow enough for every stack.
pub const JSON_DEPTH_MAX: usize = 64;
/// Rows in a page when the caller does not say.
pub const PAGE_SIZE_DEFAULT: u32 = 50;
/// Most rows in a page.
pub const PAGE_SIZE_MAX: u32 = 100;
/// Longest text of an error message shown to a client.
pub const ERROR_MESSAGE_LENGTH_MAX: usize = 500;

// --- Database -----------------------------------------------------------------------------------

/// Connections to PostgreSQL per instance: twenty instances stay below its usual 500.
pub const POSTGRES_CONNECTIONS_MAX: u32 = 20;
/// Reading connections to SQLite; there is one writer, by SQLite's nature.
pub const SQLITE_READERS_MAX: u32 = 8;
/// How long a request waits for a connection before 503.
pub const DATABASE_ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// How long one statement may run in PostgreSQL. Every statement is an index lookup or a page.
pub const DATABASE_STATEMENT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a statement may wait for a row lock in PostgreSQL.
pub const DATABASE_LOCK_TIMEOUT: Duration = Duration::from_secs(5);
/// How long an open transaction may sit idle in PostgreSQL before it is closed: no code of the
/// gateway waits for anything else inside a transaction.
pub const DATABASE_IDLE_IN_TRANSACTION_TIMEOUT: Duration = Duration::from_secs(15);
/// Commits after which SQLite's write-ahead log is checkpointed in the background: some 20 pages each under load, so a
/// log of 128 MB. A page that was written many times is moved once; four times as often cost a quarter of the calls.
pub const SQLITE_COMMITS_PER_CHECKPOINT: u32 = 1_600;
/// Pages that were written during a checkpoint: this few are left to the writer, which takes less than a millisecond.
pub const SQLITE_CHECKPOINT_REST_PAGES: u32 = 200;
/// Rounds of a checkpoint before the writer moves what is left. Each takes a part of the time of the one before.
pub const SQLITE_CHECKPOINT_ROUNDS_MAX: u32 = 6;
/// Pages after which a commit checkpoints the log by itself, if the background has not: 256 MB.
pub const SQLITE_AUTOCHECKPOINT_PAGES: u32 = 64_000;
/// Pages that the writer keeps in memory: the ends of all tables and indexes that a busy hour writes to, twice over. SQLite
/// looks at all of them after some commits, so more is slower. Readers keep SQLite's usual 2 MB, since each commit
/// invalidates their pages.
pub const SQLITE_WRITER_CACHE_KIB: u32 = 8 * 1024;
/// Prepared statements a connection keeps: more than there are.
pub const SQLITE_STATEMENTS_KEPT: usize = 512;
/// How long a task sleeps before it retries to take another process's lock: about as long as a transaction takes.
pub const SQLITE_BUSY_PAUSE: Duration = Duration::from_millis(2);
/// How long SQLite waits for a lock held by another process (`proliferate token` beside a server).
pub const SQLITE_BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// A PostgreSQL connection unused this long is checked before it is used.
pub const DATABASE_CHECK_AFTER_IDLE: Duration = Duration::from_secs(10);
/// A connection unused this long is closed.
pub const DATABASE_IDLE_TIMEOUT: Duration = Duration::from_mins(5);

// --- Coordination -------------------------------------------------------------------------------

/// Life of an ownership lease without renewal.
pub const LEASE_TTL: Duration = Duration::from_secs(30);
/// Renewal period: three tries fit in a lease's life.
pub const LEASE_RENEW_EVERY: Duration = Duration::from_secs(10);
/// Renewals that may fail in a row before the holder must assume that it lost the lease.
pub const LEASE_RENEW_FAILURES_MAX: u32 = 3;
/// Life of the lock held while a sandbox is migrated, and its renewal.
pub const MIGRATION_LOCK_TTL: Duration = Duration::from_mins(1);
pub const MIGRATION_LOCK_RENEW_EVERY: Duration = Duration::from_secs(15);
/// Longest wait for one answer of the coordination service. Three of these and their retries end before a lease does.
pub const COORDINATION_TIMEOUT: Duration = Duration::from_secs(1);
/// Longest pause before the one retry of a coordination call.
pub const COORDINATION_RETRY_DELAY: Duration = Duration::from_millis(200);
/// Messages a subscriber may have waiting; the oldest are dropped and counted beyond it.
pub const SUBSCRIPTION_QUEUE_MAX: usize = 1024;
/// Largest message that may be published; larger things are stored and referred to.
pub const PUBLISH_BYTES_MAX: usize = 256 * 1024;
/// Bytes waiting for one subscriber. Without it a full queue of the largest messages would be 256 MB.
pub const SUBSCRIPTION_QUEUE_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Subscriptions in one process, all topics together: ten for each of a thousand live sessions.
pub const SUBSCRIPTIONS_MAX: usize = 10_000;
/// Topics named in one request to Redis, so that resubscribing thousands makes progress within a timeout.
pub const TOPICS_PER_COMMAND_MAX: usize = 512;
/// Live entries of one kind kept by in-process coordination. A lease or a window takes about 100
/// bytes: 10 MB, and far more sessions than one process can run.
pub const MEMORY_ENTRIES_MAX: usize = 100_000;
/// How often the connection that receives messages is checked, and how long sent bytes may stay
/// unacknowledged. A peer that vanished without closing is noticed after this and one timeout.
pub const CONNECTION_CHECK_EVERY: Duration = Duration::from_secs(5);
/// Longest life a lease, a window or an entry may be given. Redis refuses values that overflow its clock.
pub const LIFE_MAX: Duration = Duration::from_hours(24 * 365);
/// Instances in one listing: fifty times the fleet that the database connections allow.
pub const INSTANCES_MAX: usize = 1000;
/// The heartbeat period of an instance, and how long its entry outlives the last heartbeat.
pub const INSTANCE_HEARTBEAT_EVERY: Duration = Duration::from_secs(10);
pub const INSTANCE_TTL: Duration = Duration::from_secs(30);
/// Window and size of the limit on actions of one session.
pub const ACTION_RATE_WINDOW: Duration = Duration::from_mins(1);
pub const ACTION_RATE_MAX: u64 = 60;

// --- Identity -----------------------------------------------------------------------------------

/// Life of a service token.
pub const SERVICE_TOKEN_TTL: Duration = Duration::from_hours(1);
/// Life of a user token made by the command line.
pub const USER_TOKEN_TTL: Duration = Duration::from_hours(168);
/// Longest life that can be requested for a token.
pub const TOKEN_TTL_MAX: Duration = Duration::from_hours(8760);
/// Clock difference between two machines that token checks tolerate.
pub const CLOCK_SKEW_LEEWAY: Duration = Duration::from_secs(30);
/// Policies that are listed: years of weekly changes.
pub const POLICY_VERSIONS_SHOWN_MAX: u32 = 100;
/// Snapshots of a configuration that are listed, newest first.
pub const SNAPSHOTS_SHOWN_MAX: u32 = 100;
/// Actions that are denied by one request: a page of them.
pub const DENY_MANY_MAX: usize = 100;
/// Characters of a search in titles.
pub const SEARCH_LENGTH_MAX: usize = 200;
/// Live API keys of one user in one organization.
pub const API_KEYS_PER_USER_MAX: u32 = 50;

// --- Sessions -----------------------------------------------------------------------------------

/// Characters in a session's title.
pub const TITLE_LENGTH_MAX: usize = 200;
/// Characters in a first prompt or a system prompt.
pub const PROMPT_LENGTH_MAX: usize = 200_000;
/// Characters in a snapshot's id; providers use up to 64.
pub const SNAPSHOT_ID_LENGTH_MAX: usize = 200;
/// Bytes of `clientMetadata` as JSON.
pub const CLIENT_METADATA_BYTES_MAX: usize = 16 * 1024;
/// Integrations connected to one session.
pub const SESSION_INTEGRATIONS_MAX: usize = 50;
/// Integrations whose credentials are checked at once while a session is created.
pub const TOKEN_CHECKS_AT_ONCE_MAX: usize = 8;
/// Longest check of one integration's credentials; a slower one counts as failed.
pub const TOKEN_CHECK_TIMEOUT: Duration = Duration::from_secs(5);
/// Environment variables given with one session.
pub const SESSION_ENV_VARS_MAX: usize = 100;
/// Public SSH keys of one session, and the length of each (a 16 kbit RSA key has about 2,800).
pub const SSH_KEYS_MAX: usize = 10;
pub const SSH_KEY_LENGTH_MAX: usize = 4096;
/// Tool names in an agent's filter.
pub const AGENT_TOOLS_MAX: usize = 50;
/// A session that is still starting after this long belongs to a process that died.
pub const SESSION_STARTING_MAX: Duration = Duration::from_mins(15);
/// How often stuck sessions are looked for, and how many one sweep may end.
pub const SESSION_SWEEP_EVERY: Duration = Duration::from_mins(1);
/// Outlives the pause between two sweeps, so that one instance keeps the work.
pub const SESSION_SWEEP_LEASE: Duration = Duration::from_secs(90);
pub const SESSION_SWEEP_BATCH_MAX: u32 = 100;
/// Characters in a reason for pausing, stopping or failing.
pub const REASON_LENGTH_MAX: usize = 500;

// --- Configurations and repos -------------------------------------------------------------------

/// Characters in a name of a configuration, repo, integration or API key.
pub const NAME_LENGTH_MAX: usize = 100;
/// Characters in a repo's name (`owner/name`) or a branch; GitHub allows 39 + 1 + 100.
pub const REPO_NAME_LENGTH_MAX: usize = 200;
/// Characters in the hash that stands for a folder; SHA-512 in hexadecimal has 128.
pub const LOCAL_PATH_HASH_LENGTH_MAX: usize = 200;
/// Characters in free notes.
pub const NOTES_LENGTH_MAX: usize = 10_000;
/// Service commands of a configuration, and the parts of one.
pub const SERVICE_COMMANDS_MAX: usize = 10;
pub const SERVICE_COMMAND_LENGTH_MAX: usize = 1000;
/// Characters in a path below the workspace.
pub const PATH_LENGTH_MAX: usize = 500;
/// Env files of a configuration, keys in one, characters in a key.
pub const ENV_FILES_MAX: usize = 10;
pub const ENV_FILE_KEYS_MAX: usize = 50;
/// Repositories of a configuration.
pub const CONFIGURATION_REPOS_MAX: usize = 20;
/// Connectors of a configuration.
pub const CONNECTORS_MAX: usize = 20;
/// Characters in a URL.
pub const URL_LENGTH_MAX: usize = 2000;

// --- Policy -------------------------------------------------------------------------------------

/// Largest policy file. The built-in files have 6 KB; a hundred times that is still read in milliseconds.
pub const POLICY_FILE_BYTES_MAX: usize = 1024 * 1024;
/// Lanes, roles and tools of a policy: tens of times the built-in ones, and more than a reviewer can check.
pub const POLICY_LANES_MAX: usize = 500;
pub const POLICY_ROLES_MAX: usize = 200;
pub const POLICY_TOOLS_MAX: usize = 2000;
/// Entries of one list in a lane, role or tool. A lane may hold every tool.
pub const POLICY_LIST_MAX: usize = POLICY_TOOLS_MAX;
/// Nesting of a policy file; its shape is five deep.
pub const POLICY_DEPTH_MAX: usize = 16;
/// Characters in the purpose of a lane or the description of a role or tool.
pub const POLICY_TEXT_LENGTH_MAX: usize = 1000;
/// Mistakes listed for one file; the rest is counted. More are not fixed in one go.
pub const POLICY_PROBLEMS_MAX: usize = 100;
/// Policies kept beside the one in force, for runs that were started under them. A run lives for hours,
/// a policy changes a few times a day; each keeps its files' bytes.
pub const POLICIES_KEPT_MAX: usize = 16;
/// Longest wait for one answer of git about a policy file. It takes milliseconds.
pub const POLICY_GIT_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest deadline a tool may be registered with: transcribing an hour of speech takes less.
pub const TOOL_TIMEOUT_MAX: Duration = Duration::from_mins(30);

// --- Tools --------------------------------------------------------------------------------------

/// Programs one tool runs, arguments of one, characters in one: the longest built-in command has 7.
pub const TOOL_STEPS_MAX: usize = 8;
pub const TOOL_ARGUMENTS_MAX: usize = 64;
pub const TOOL_ARGUMENT_LENGTH_MAX: usize = 1000;
/// Parameters of a tool; more than a reviewer can check at a glance.
pub const TOOL_PARAMETERS_MAX: usize = 32;
/// Characters in a parameter that is text. Longer text is content, and content is an artifact.
pub const TOOL_PARAMETER_LENGTH_MAX: usize = 1000;
/// Characters in the pattern of a parameter, and the memory it may take compiled.
pub const TOOL_PATTERN_LENGTH_MAX: usize = 200;
pub const TOOL_PATTERN_BYTES_MAX: usize = 256 * 1024;
/// Files one call may leave.
pub const TOOL_OUTPUTS_MAX: usize = 16;
/// Most memory, processes and bytes of one kind a tool may be registered with. A scan of a hundred pages
/// or an hour of speech stays far below.
pub const TOOL_MEMORY_MB_MAX: u64 = 8 * 1024;
pub const TOOL_PROCESSES_MAX: u64 = 256;
pub const TOOL_FILE_BYTES_MAX: u64 = 2 * 1024 * 1024 * 1024;
/// Files a program may have open: libraries, inputs and outputs are a few dozen.
pub const COMMAND_OPEN_FILES_MAX: u64 = 256;
/// How often a program's output files are measured. A single file is stopped by the kernel at its
/// bound; this stops many.
pub const COMMAND_WATCH_EVERY: Duration = Duration::from_millis(100);
/// Files and directories a program may have created at any time, including those that are not kept.
pub const COMMAND_FILES_MAX: usize = 1000;
/// Bytes of a program's output that go into the debug log: the end of it.
pub const COMMAND_LOG_TAIL_BYTES: usize = 2 * 1024;
/// How long a killed program may take to exit: the kernel needs milliseconds.
pub const COMMAND_GONE_MAX: Duration = Duration::from_secs(5);
/// How long a program may take to stop after it is told to freeze, before it is killed anyway. It stops at once, unless
/// the machine is overloaded.
pub const COMMAND_STILL_MAX: Duration = Duration::from_millis(500);
/// Longest probe of whether programs can be sandboxed, which takes milliseconds.
pub const COMMAND_PROBE_MAX: Duration = Duration::from_secs(5);
/// Longest resolution of a name, and addresses of one that are tried; big services give eight.
pub const EGRESS_RESOLVE_TIMEOUT: Duration = Duration::from_secs(5);
pub const EGRESS_ADDRESSES_MAX: usize = 32;
/// Longest wait for a connection to a service with its TLS handshake.
pub const EGRESS_CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest pause within an answer: a service that sends slowly is stopped by the tool's deadline, one
/// that stops sending by this.
pub const EGRESS_READ_TIMEOUT: Duration = Duration::from_secs(30);

// --- Cases and artifacts -------------------------------------------------------------------------

/// Members of one case: a firm's whole team and its agents.
pub const CASE_MEMBERS_MAX: u32 = 200;
/// Meetings with a client in one case.
pub const CASE_CLIENT_SESSIONS_MAX: u32 = 1000;
/// Bytes of one artifact: an hour of speech as WAV at 16 kHz has 115 MB; scans and texts far less.
pub const ARTIFACT_BYTES_MAX: u64 = 128 * 1024 * 1024;
/// Artifacts of one case or session. Listing them is paged; counting them reads an index of this size.
pub const ARTIFACTS_PER_SCOPE_MAX: u32 = 10_000;
/// Artifacts that one artifact may be derived from, and that are looked up at once.
pub const ARTIFACTS_AT_ONCE_MAX: usize = 100;
/// Bytes of one piece of a recording: held in memory until it is stored; twenty seconds of studio sound.
pub const RECORDING_CHUNK_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// Pieces of one recording: more than an hour of seconds.
pub const RECORDING_CHUNKS_MAX: u32 = 4096;
/// Bytes of a whole recording, which becomes one artifact.
pub const RECORDING_BYTES_MAX: u64 = ARTIFACT_BYTES_MAX;
/// Recordings of one case. Most become an artifact each.
pub const RECORDINGS_PER_CASE_MAX: u32 = ARTIFACTS_PER_SCOPE_MAX;
/// Records of one case. Each is an artifact of it, kept in a table.
pub const RECORDS_PER_CASE_MAX: u32 = ARTIFACTS_PER_SCOPE_MAX;
/// Bytes of a case in one file: the bytes of artifacts that a bundle holds, a third longer in base64, with
/// room for the records.
pub const EXPORT_BUNDLE_BYTES_MAX: u64 = 1024 * 1024 * 1024;
/// Uploads one instance takes at once. Each holds up to three parts in memory: 480 MB in all.
pub const UPLOADS_AT_ONCE_MAX: usize = 32;
/// Longest an upload may take: the largest artifact at 230 kB a second.
pub const UPLOAD_TIMEOUT: Duration = Duration::from_mins(10);
/// Artifacts, evidence and trails that one instance sends at once; a page that shows a case's pictures requests some
/// dozen.
pub const DOWNLOADS_AT_ONCE_MAX: usize = 256;
/// How far an upload may fall behind the slowest rate (`BODY_BYTES_PER_SECOND_MIN`), and so its longest pause. A client
/// that disconnected frees its slot.
pub const UPLOAD_PAUSE_MAX: Duration = Duration::from_secs(20);
/// Bytes sent to storage at once. S3 takes no part below 5 MiB but the last; what fits into one part is
/// stored in one request.
pub const BLOB_PART_BYTES: usize = 5 * 1024 * 1024;
/// Parts of one upload under way to storage, beside the one being filled.
pub const BLOB_PARTS_IN_FLIGHT_MAX: usize = 2;
/// Bytes read from or written to a file at once.
pub const BLOB_CHUNK_BYTES: usize = 256 * 1024;
/// Content of at most this size is verified in memory before it is sent; larger content in a file.
pub const BLOB_IN_MEMORY_BYTES_MAX: u64 = 1024 * 1024;
/// Longest connecting to S3, one request to it (a part or an object, 5 MiB to the largest artifact), and
/// how long and how often a request that failed is tried again.
pub const BLOB_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
pub const BLOB_REQUEST_TIMEOUT: Duration = Duration::from_mins(1);
pub const BLOB_RETRY_TIMEOUT: Duration = Duration::from_secs(20);
pub const BLOB_RETRIES_MAX: usize = 3;
/// How long a successful test write counts as proof that storage works: load balancers probe every few
/// seconds, and each write to S3 is paid for.
pub const BLOB_PROBE_EVERY: Duration = Duration::from_secs(30);
/// Longest a probe of storage may take; a load balancer waits for it.
pub const BLOB_PROBE_TIMEOUT: Duration = Duration::from_secs(5);

// --- Mediated calls -----------------------------------------------------------------------------

/// Stored inputs of one call.
pub const TOOL_CALL_INPUTS_MAX: usize = 20;
/// Characters in a value of a call's scope: ids and one-line reasons.
pub const SCOPE_VALUE_LENGTH_MAX: usize = 200;
/// Bytes of one output that is kept, whatever the tool's own bound says: what an upload may have.
pub const TOOL_OUTPUT_BYTES_MAX: u64 = ARTIFACT_BYTES_MAX;
/// Calls recorded in one transaction: enough to share a commit, few enough that the last one waits
/// milliseconds for the first.
pub const MEDIATION_BATCH_MAX: usize = 128;
/// Calls that may wait to be recorded; each holds its parameters, at most a request's body.
pub const MEDIATION_QUEUE_MAX: usize = 2048;
/// Transactions of calls under way at once, where the database takes more than one: more would share less.
pub const MEDIATION_COMMITS_AT_ONCE_MAX: usize = 4;
/// Calls one process runs at once; further callers are refused with a retry hint. As many as requests of users, so
/// that one caller's fourth still takes a batch of two hundred.
pub const MEDIATED_CALLS_UNDERWAY_MAX: usize = 1024;
/// How much later than its time-out a call's deadline is: its outputs are stored and its end is
/// recorded in this time, or it counts as interrupted.
pub const RUN_DEADLINE_GRACE: Duration = Duration::from_mins(2);
/// How often and how long recording the end of a call is tried; ends before the grace does.
pub const RUN_END_RETRY_EVERY: Duration = Duration::from_millis(500);
pub const RUN_END_RETRY_MAX: Duration = Duration::from_mins(1);
/// How often a run of another instance is polled while a caller waits for it.
pub const RUN_POLL_EVERY: Duration = Duration::from_millis(250);
/// Longest a request may wait for a run; below the time a request may take.
pub const RUN_WAIT_MAX: Duration = Duration::from_secs(25);
/// How often an instance checks whether calls it executes were cancelled elsewhere, beside the notification: a
/// notification may be lost, and the check is one read that is made only while there are calls.
pub const RUN_CANCEL_LOOK_EVERY: Duration = Duration::from_secs(15);
/// Pause before an instance subscribes again to cancelled runs after coordination was lost.
pub const RUN_CANCEL_RETRY_DELAY: Duration = Duration::from_secs(5);
/// Interrupted calls that one sweep ends.
pub const RUN_SWEEP_BATCH_MAX: u32 = 100;
/// How often a process removes unused resources: connections to tool servers, which live for minutes, and directories
/// of calls that an earlier process left.
pub const TIDY_EVERY: Duration = Duration::from_mins(1);
/// How often the policy's files are read again. Three small files; a change is in force within this.
pub const POLICY_RELOAD_EVERY: Duration = Duration::from_secs(5);

// --- Audit --------------------------------------------------------------------------------------

/// Bytes of a record as it is hashed. The entry bundles of tiled logs (C2SP) have room for no more, so
/// that a log can be published as one.
pub const AUDIT_RECORD_BYTES_MAX: usize = 65_535;
/// Bytes of an event: a record less its place in the log, which takes under 600.
pub const AUDIT_EVENT_BYTES_MAX: usize = 64_000;
/// Events sequenced in one transaction: few enough that a writer waits a millisecond for it, enough that the commit
/// costs each event little.
pub const AUDIT_SEQUENCE_BATCH_MAX: u32 = 100;
/// Events recorded together that are sequenced right away, where there is one writer. A sequenced event is in more
/// indexes than a waiting one: fewer would write more pages into their commit than the sequencer writes for them later.
pub const AUDIT_PLACED_AT_ONCE_MIN: usize = 4;
/// How often a batch is rebuilt because another sequencer was faster: each time that one has stored a batch, and there
/// are as many sequencers as instances at most, and by their lease rarely two.
pub const AUDIT_SEQUENCE_TRIES_MAX: u32 = 50;
/// Batches in one round, after which the lease is renewed and idle logs are handled.
pub const AUDIT_BATCHES_PER_ROUND_MAX: u32 = 100;
/// Pause between two rounds: how long an event waits to be sequenced under low load.
pub const AUDIT_ROUND_EVERY: Duration = Duration::from_secs(1);
/// Outlives the pause between two rounds and a slow round, so that one instance keeps the work.
pub const AUDIT_LEASE: Duration = Duration::from_secs(30);
/// A checkpoint is signed after this many events, and for fewer after this long: an attacker with write
/// access to the database could rewrite the events after the last checkpoint undetected.
pub const AUDIT_CHECKPOINT_EVENTS: u64 = 1000;
pub const AUDIT_CHECKPOINT_EVERY: Duration = Duration::from_mins(1);
/// An event this much older than the one before it in the log is marked: a clock was set back. Below it are
/// the differences between machines' clocks and between recording and committing.
pub const AUDIT_CLOCK_STEP_MIN: Duration = Duration::from_secs(1);
/// A log without events for this long gets a heartbeat event, so that silence can be told from a gap.
pub const AUDIT_HEARTBEAT_EVERY: Duration = Duration::from_hours(1);
/// Pause between two folds of refused requests into their events: a refusal that repeats is one event a minute.
pub const AUDIT_REFUSALS_FOLD_EVERY: Duration = Duration::from_mins(1);
/// Different refusals of one actor that each get an event of their own between two folds: more than a person causes by
/// hand, and an actor that tries ids by the thousand makes the log grow by 20 KB a minute at most.
pub const AUDIT_REFUSALS_PER_ACTOR_MAX: usize = 30;
/// Refusals of an organization that an instance keeps apart between two folds. The others are counted together.
pub const AUDIT_REFUSALS_PER_ORGANIZATION_MAX: usize = 200;
/// How long a refused request waits for its event. After that the response is sent, and the refusal recorded
/// with the next fold.
pub const AUDIT_REFUSALS_RECORD_MAX: Duration = Duration::from_secs(2);
/// Pause between two rounds of copying checkpoints to storage: soon after they were signed.
pub const AUDIT_COPY_EVERY: Duration = Duration::from_secs(5);
/// Outlives the pause and a slow round, so that one instance keeps the work.
pub const AUDIT_COPY_LEASE: Duration = Duration::from_mins(1);
/// Checkpoints to copy that are read at once; a note has some 300 bytes.
pub const AUDIT_COPIES_PER_PAGE_MAX: u32 = 100;
/// Leaves read at once while a log is signed: calls wait for the thread that does it, a tenth of a millisecond.
pub const AUDIT_LEAVES_PAGE_MAX: u32 = 100;
/// Records read at once while a log is exported; at most 32 MB of the largest, usually 400 KB.
pub const AUDIT_PAGE_MAX: u32 = 500;
/// Records of a trail proven at once: each proof reads and hashes some hundred nodes, 0.2 ms.
pub const AUDIT_PROOFS_PAGE_MAX: u32 = 100;
/// Blocks of 256 hashes kept while proofs are made: 512 KB, and four levels of a log of billions use few.
pub const AUDIT_PROOF_BLOCKS_MAX: usize = 64;
/// Earlier checkpoints in the bundle of a trail. Each has a proof of about 2 KB.
pub const AUDIT_BUNDLE_CHECKPOINTS_MAX: u64 = 1000;
/// Policy files and artifacts read at once for a bundle; a policy file has at most 1 MB.
pub const AUDIT_EVIDENCE_PAGE_MAX: u32 = 20;
/// Bytes of artifacts in one bundle; the rest is included by digest only.
pub const AUDIT_BUNDLE_CONTENT_BYTES_MAX: u64 = 512 * 1024 * 1024;
/// Bytes of an artifact in one line of a bundle; in base64 it is about as long as a record may be.
pub const AUDIT_CONTENT_LINE_BYTES: usize = 48 * 1024;
/// Bytes of any line of a bundle: a policy file with every character escaped.
pub const AUDIT_BUNDLE_LINE_BYTES_MAX: usize = 8 * POLICY_FILE_BYTES_MAX;
/// Records between two progress reports of a verification: several a second.
pub const AUDIT_PROGRESS_EVERY: u64 = 50_000;

// --- Secrets ------------------------------------------------------------------------------------

/// Characters in a secret's key.
pub const SECRET_KEY_LENGTH_MAX: usize = 200;
/// Bytes in a secret's value: room for a PEM bundle.
pub const SECRET_VALUE_BYTES_MAX: usize = 64 * 1024;
/// Secrets of one organization; each boot of a session resolves them all.
pub const SECRETS_PER_ORGANIZATION_MAX: u32 = 5000;
/// Variables in one imported .env text, and its size.
pub const ENV_IMPORT_KEYS_MAX: usize = 500;
pub const ENV_IMPORT_BYTES_MAX: usize = 512 * 1024;
