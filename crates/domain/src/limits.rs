//! Every bound of the product, with the reason for its number. Nothing is unbounded: a queue,
//! cache, body, list, retry or wait that has no name here is a defect.

use std::time::Duration;

// --- Requests -----------------------------------------------------------------------------------

/// Largest JSON body. A session with 100 environment variables and a long prompt is under 200 KB.
pub const REQUEST_BODY_BYTES_MAX: usize = 1024 * 1024;
/// Longest a request may take before it is answered 503. Above every database timeout below, so
/// that the more precise error wins.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// Requests served at once by one instance; beyond it callers get 503 with Retry-After at once
/// instead of waiting in a queue nobody sees.
pub const REQUESTS_IN_FLIGHT_MAX: usize = 1024;
/// Open connections of one instance; further ones wait in the kernel's queue. A quiet one costs a few
/// tens of kilobytes.
pub const CONNECTIONS_MAX: usize = 10_000;
/// How long a shutdown waits for requests under way: longer than a request may take would be
/// pointless, and orchestrators commonly kill after 30 s.
pub const SHUTDOWN_DRAIN: Duration = Duration::from_secs(20);
/// Longest header-supplied idempotency key; a UUID has 36 characters, a content hash 64.
pub const IDEMPOTENCY_KEY_LENGTH_MAX: usize = 255;
/// Longest bearer token we look at; a JWT of ours has about 400 bytes.
pub const BEARER_TOKEN_BYTES_MAX: usize = 4096;
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
/// How long an open transaction may sit idle in PostgreSQL before it is cut: no code of ours waits
/// for anything else inside a transaction.
pub const DATABASE_IDLE_IN_TRANSACTION_TIMEOUT: Duration = Duration::from_secs(15);
/// Pages SQLite's write-ahead log grows by before it is folded in: 32 MB. A page that was written many times
/// is then folded in once, and a call rarely waits for it.
pub const SQLITE_CHECKPOINT_PAGES: u32 = 8000;
/// Prepared statements a connection keeps: more than there are.
pub const SQLITE_STATEMENTS_KEPT: usize = 512;
/// How long a task sleeps before it asks again for a lock that another process holds: about as long as a
/// transaction takes.
pub const SQLITE_BUSY_PAUSE: Duration = Duration::from_millis(2);
/// How long SQLite waits for a lock held by another process (`proliferate token` beside a server).
pub const SQLITE_BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// A PostgreSQL connection unused this long is asked whether it still lives before it is used.
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
/// Longest wait for one answer of the coordination service. Three of these and their retries end
/// before a lease does.
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
/// Topics named in one request to Redis, so that resubscribing thousands makes progress within a
/// timeout.
pub const TOPICS_PER_COMMAND_MAX: usize = 512;
/// Live entries of one kind kept by in-process coordination. A lease or a window takes about 100
/// bytes: 10 MB, and far more sessions than one process can run.
pub const MEMORY_ENTRIES_MAX: usize = 100_000;
/// How often the connection that receives messages is checked, and how long sent bytes may stay
/// unacknowledged. A peer that vanished without closing is noticed after this and one timeout.
pub const CONNECTION_CHECK_EVERY: Duration = Duration::from_secs(5);
/// Longest life a lease, a window or an entry may be given. Redis refuses what overflows its clock.
pub const LIFE_MAX: Duration = Duration::from_hours(24 * 365);
/// Instances in one listing: fifty times the fleet that the database connections allow.
pub const INSTANCES_MAX: usize = 1000;
/// How often an instance says that it is alive, and how long its entry outlives the last time.
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
/// Longest life anyone may ask for when minting a token.
pub const TOKEN_TTL_MAX: Duration = Duration::from_hours(8760);
/// Difference between two machines' clocks that token checks forgive.
pub const CLOCK_SKEW_LEEWAY: Duration = Duration::from_secs(30);
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
/// How often stuck sessions are looked for, and how many one look may end.
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

/// Largest policy file. Those built in have 6 KB; a hundred times that is still read in
/// milliseconds.
pub const POLICY_FILE_BYTES_MAX: usize = 1024 * 1024;
/// Lanes, roles and tools of a policy: tens of times what is built in, and more than people can review.
pub const POLICY_LANES_MAX: usize = 500;
pub const POLICY_ROLES_MAX: usize = 200;
pub const POLICY_TOOLS_MAX: usize = 2000;
/// Entries of one list in a lane, role or tool. A lane may hold every tool.
pub const POLICY_LIST_MAX: usize = POLICY_TOOLS_MAX;
/// Nesting of a policy file; its shape is five deep.
pub const POLICY_DEPTH_MAX: usize = 16;
/// Characters in the purpose of a lane or the description of a role or tool.
pub const POLICY_TEXT_LENGTH_MAX: usize = 1000;
/// Mistakes listed for one file; the rest is counted. Nobody mends more in one go.
pub const POLICY_PROBLEMS_MAX: usize = 100;
/// Policies kept beside the one in force, for runs that were started under them. A run lives for hours,
/// a policy changes a few times a day; each keeps its files' bytes.
pub const POLICIES_KEPT_MAX: usize = 16;
/// Longest wait for one answer of git about a policy file. It takes milliseconds.
pub const POLICY_GIT_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest deadline a tool may be registered with: an hour of speech is transcribed in less.
pub const TOOL_TIMEOUT_MAX: Duration = Duration::from_mins(30);

// --- Tools --------------------------------------------------------------------------------------

/// Programs one tool runs, arguments of one, characters in one: the longest built in has 7.
pub const TOOL_STEPS_MAX: usize = 8;
pub const TOOL_ARGUMENTS_MAX: usize = 64;
pub const TOOL_ARGUMENT_LENGTH_MAX: usize = 1000;
/// Parameters of a tool; more than people can review in one glance.
pub const TOOL_PARAMETERS_MAX: usize = 32;
/// Characters in a parameter that is text. What is longer is content, and content is an artifact.
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
/// How often it is looked at what a program has written. A file alone is stopped by the kernel at its
/// bound; this stops many.
pub const COMMAND_WATCH_EVERY: Duration = Duration::from_millis(100);
/// Files and directories a program may have made at any time, those it will not keep included.
pub const COMMAND_FILES_MAX: usize = 1000;
/// Bytes of what a program printed that go into the debug log: its last words, not its work.
pub const COMMAND_LOG_TAIL_BYTES: usize = 2 * 1024;
/// How long a program that was killed may take to be gone: the kernel needs milliseconds.
pub const COMMAND_GONE_MAX: Duration = Duration::from_secs(5);
/// Longest wait for the answer whether programs can be closed in, which takes milliseconds.
pub const COMMAND_PROBE_MAX: Duration = Duration::from_secs(5);
/// Longest resolution of a name, and addresses of one that are looked at; big services give eight.
pub const EGRESS_RESOLVE_TIMEOUT: Duration = Duration::from_secs(5);
pub const EGRESS_ADDRESSES_MAX: usize = 32;
/// Longest wait for a connection to a service with its TLS handshake.
pub const EGRESS_CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest pause within an answer: a service that trickles is cut by the tool's deadline, one that stops
/// by this.
pub const EGRESS_READ_TIMEOUT: Duration = Duration::from_secs(30);

// --- Action sources -----------------------------------------------------------------------------

/// Longest call of an outside service, resolving its name included: seed 002 gives every adapter 30 s.
pub const SOURCE_CALL_TIMEOUT: Duration = Duration::from_secs(30);
/// Bytes of one answer of an outside service, held in memory: fifty issues with long texts have under 1 MB,
/// an event of Sentry with its stack traces up to 2 MB.
pub const SOURCE_REPLY_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Entries of one page of a list: what an agent can still read.
pub const SOURCE_PAGE_MAX: u32 = 50;
/// Characters in an id, slug, name or cursor: the longest known are branches of GitHub with 244.
pub const SOURCE_NAME_LENGTH_MAX: usize = 255;
/// Characters in a title; GitHub takes 256, Linear and Sentry about as many.
pub const SOURCE_TITLE_LENGTH_MAX: usize = 256;
/// Characters in a description, comment or message: Slack cuts off after 40,000, GitHub takes 65,536.
pub const SOURCE_TEXT_LENGTH_MAX: usize = 40_000;
/// Characters in a search; Sentry and Linear refuse far shorter ones.
pub const SOURCE_QUERY_LENGTH_MAX: usize = 1000;
/// Entries in a list of labels or people: GitHub takes 10 assignees and 100 labels.
pub const SOURCE_LIST_MAX: usize = 50;
/// Pause proposed after a failure that may pass, where the service names none.
pub const SOURCE_RETRY_PAUSE: Duration = Duration::from_secs(5);
/// Pause proposed after a rate limit, where the service names none: GitHub asks for at least a minute.
pub const SOURCE_RATE_PAUSE: Duration = Duration::from_mins(1);
/// Longest pause believed: the windows of Linear and GitHub are an hour.
pub const SOURCE_RETRY_AFTER_MAX: Duration = Duration::from_hours(1);

// --- JSON Schema --------------------------------------------------------------------------------

/// Bytes of a schema as JSON: those of large MCP servers have 20 KB for a tool.
pub const SCHEMA_BYTES_MAX: usize = 256 * 1024;
/// Nesting of a schema: an object within an object takes two levels.
pub const SCHEMA_DEPTH_MAX: usize = 32;
/// Parts of a schema that one value can be checked against, references followed; those of tools have
/// hundreds. Without it a schema of twenty lines can refer to itself so that a check never ends.
pub const SCHEMA_WEIGHT_MAX: u64 = 10_000;
/// The weight of a schema times the values in params: about a second.
pub const SCHEMA_WORK_MAX: u64 = 50_000_000;
/// References followed one within the other; each takes some of the stack.
pub const SCHEMA_REFERENCES_MAX: usize = 128;
/// Memory that one pattern of a schema may take compiled.
pub const SCHEMA_PATTERN_BYTES_MAX: usize = 256 * 1024;
/// Nesting of an action's params: deeper than the blocks of a message.
pub const PARAMS_DEPTH_MAX: usize = 16;
/// Mistakes in params that are named in one answer.
pub const PARAMS_PROBLEMS_MAX: usize = 5;

// --- Connectors ---------------------------------------------------------------------------------

/// Characters in a connector's name.
pub const CONNECTOR_NAME_LENGTH_MAX: usize = 100;
/// Characters in the name of the header that carries a connector's secret.
pub const CONNECTOR_HEADER_NAME_LENGTH_MAX: usize = 100;
/// Characters in a tool's name, as the protocol has them.
pub const CONNECTOR_TOOL_NAME_LENGTH_MAX: usize = 128;
/// Characters in the name of an action: what the interfaces of language models take.
pub const CONNECTOR_ACTION_NAME_LENGTH_MAX: usize = 64;
/// Longest listing of a connector's tools, all pages and the handshake included. Somebody waits for it.
pub const CONNECTOR_LIST_TIMEOUT: Duration = Duration::from_secs(15);
/// Longest call of a connector's tool, the handshake included.
pub const CONNECTOR_CALL_TIMEOUT: Duration = Duration::from_secs(30);
/// Pages of tools asked for. Servers give 50 or more at a time; one whose cursor never ends stops here.
pub const CONNECTOR_PAGES_MAX: usize = 50;
/// Tools of one connector; five times the largest server known.
pub const CONNECTOR_TOOLS_MAX: usize = 512;
/// Bytes of one tool's definition. The largest known have some 20 KB.
pub const CONNECTOR_TOOL_BYTES_MAX: usize = 256 * 1024;
/// Bytes of one connector's definitions together.
pub const CONNECTOR_LIST_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Bytes of one answer: a screenshot in base64 has one or two megabytes.
pub const CONNECTOR_ANSWER_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Bytes of the arguments of one call: those of the request that carries them.
pub const CONNECTOR_ARGUMENTS_BYTES_MAX: usize = REQUEST_BODY_BYTES_MAX;
/// How long a list of tools is used before it is asked for again.
pub const CONNECTOR_LIST_TTL: Duration = Duration::from_mins(5);
/// How long a failed listing is remembered: nobody waits for a dead server twice in a row, and who repairs
/// it does not wait long.
pub const CONNECTOR_FAILURE_TTL: Duration = Duration::from_secs(10);
/// Lists of tools kept by one instance, and their bytes together.
pub const CONNECTOR_LISTS_MAX: usize = 1000;
pub const CONNECTOR_LISTS_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Listings under way in one instance; further ones wait within their own deadline.
pub const CONNECTOR_LISTINGS_MAX: usize = 128;
/// Listings of one organization under way: all connectors that one session can have. Servers that hang
/// hold up nobody else.
pub const CONNECTOR_LISTINGS_PER_ORGANIZATION_MAX: usize = 2 * CONNECTORS_MAX;
/// Live connections to tool servers in one instance; the one unused longest makes room.
pub const CONNECTOR_LINKS_MAX: usize = 256;
/// Live connections of one organization: a busy one makes room for itself first.
pub const CONNECTOR_LINKS_PER_ORGANIZATION_MAX: usize = 64;
/// A connection unused this long is closed, and with it the server's session.
pub const CONNECTOR_LINK_IDLE: Duration = Duration::from_mins(5);
/// A connection goes to the addresses its name had at the beginning; after this long it is looked up again.
pub const CONNECTOR_LINK_LIFE: Duration = Duration::from_mins(15);
/// Longest goodbye to a server whose connection is closed; nobody waits for it.
pub const CONNECTOR_GOODBYE_TIMEOUT: Duration = Duration::from_secs(3);
/// Requests under way on one connection.
pub const CONNECTOR_REQUESTS_MAX: usize = 64;
/// Times the rest of an answer is asked for when its stream was cut, and the pause before each.
pub const CONNECTOR_RESUMES_MAX: usize = 3;
pub const CONNECTOR_RESUME_AFTER: Duration = Duration::from_millis(200);
/// Bytes of a generated guide: what an agent can read without losing its thread.
pub const CONNECTOR_GUIDE_BYTES_MAX: usize = 64 * 1024;
/// Characters of a description in a guide or a list of parameters.
pub const CONNECTOR_DESCRIPTION_LENGTH_MAX: usize = 500;
/// Characters of a name or an example value in a guide.
pub const CONNECTOR_EXAMPLE_LENGTH_MAX: usize = 100;
/// Alternatives within alternatives of a schema that are looked at for display; deeper ones are shown as
/// text. Real ones have one or two.
pub const CONNECTOR_SCHEMA_DEPTH_MAX: u8 = 4;
/// Longest id of a server's session that is sent back; they are UUIDs or signed tokens.
pub const CONNECTOR_SESSION_ID_LENGTH_MAX: usize = 4096;
/// Parameters of a tool that are shown.
pub const CONNECTOR_PARAMETERS_MAX: usize = 100;
/// Remarks about one list of tools; beyond it there is one that says so.
pub const CONNECTOR_NOTES_MAX: usize = 20;
/// Longest wait a server may ask for that is passed on.
pub const CONNECTOR_RETRY_AFTER_MAX: Duration = Duration::from_hours(1);
/// A secret shorter than this is not searched for in what a server says: it would be found everywhere.
pub const CONNECTOR_SCRUB_BYTES_MIN: usize = 6;

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
/// Uploads one instance takes at once. Each holds up to three parts in memory: 240 MB in all.
pub const UPLOADS_AT_ONCE_MAX: usize = 16;
/// Longest an upload may take: the largest artifact at 230 kB a second.
pub const UPLOAD_TIMEOUT: Duration = Duration::from_mins(10);
/// Longest pause between two pieces of an upload. A client that went away gives its place back.
pub const UPLOAD_PAUSE_MAX: Duration = Duration::from_secs(20);
/// Bytes sent to storage at once. S3 takes no part below 5 MiB but the last; what fits into one part is
/// stored in one request.
pub const BLOB_PART_BYTES: usize = 5 * 1024 * 1024;
/// Parts of one upload under way to storage, beside the one being filled.
pub const BLOB_PARTS_IN_FLIGHT_MAX: usize = 2;
/// Bytes read from or written to a file at once.
pub const BLOB_CHUNK_BYTES: usize = 256 * 1024;
/// What is at most this long is checked in memory before it is handed out; more in a file.
pub const BLOB_IN_MEMORY_BYTES_MAX: u64 = 1024 * 1024;
/// Longest connecting to S3, one request to it (a part or an object, 5 MiB to the largest artifact), and
/// how long and how often a request that failed is tried again.
pub const BLOB_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
pub const BLOB_REQUEST_TIMEOUT: Duration = Duration::from_mins(1);
pub const BLOB_RETRY_TIMEOUT: Duration = Duration::from_secs(20);
pub const BLOB_RETRIES_MAX: usize = 3;
/// How long a successful try to write counts as proof that storage works: probes of load balancers come
/// every few seconds, and each write to S3 is paid for.
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
/// Calls written down in one transaction: enough to share a commit, few enough that the last one waits
/// milliseconds for the first.
pub const MEDIATION_BATCH_MAX: usize = 128;
/// Calls that may wait to be written down; each holds its parameters, at most a request's body.
pub const MEDIATION_QUEUE_MAX: usize = 2048;
/// Transactions of calls under way at once on PostgreSQL: more would share less.
pub const MEDIATION_COMMITS_AT_ONCE_POSTGRES: usize = 4;
/// Calls one process runs at once; beyond it callers are told to come back.
pub const MEDIATED_CALLS_UNDERWAY_MAX: usize = 512;
/// How much later than its time-out a call's deadline is: its outputs are stored and its end is written
/// down in this time, or it is taken for cut off.
pub const RUN_DEADLINE_GRACE: Duration = Duration::from_mins(2);
/// How often and how long the end of a call is tried to be written down; ends before the grace does.
pub const RUN_END_RETRY_EVERY: Duration = Duration::from_millis(500);
pub const RUN_END_RETRY_MAX: Duration = Duration::from_mins(1);
/// How often a run of another instance is looked at while somebody waits for it.
pub const RUN_POLL_EVERY: Duration = Duration::from_millis(250);
/// Longest a request may wait for a run; below the time a request may take.
pub const RUN_WAIT_MAX: Duration = Duration::from_secs(25);
/// Calls that were cut off, ended in one sweep.
pub const RUN_SWEEP_BATCH_MAX: u32 = 100;
/// How often the policy's files are read again. Three small files; a change is in force within this.
pub const POLICY_RELOAD_EVERY: Duration = Duration::from_secs(5);

// --- Actions ------------------------------------------------------------------------------------

/// Actions of one session that may wait for a person at once. More than ten questions are not read, and an
/// agent that asks more is in a loop.
pub const PENDING_PER_SESSION_MAX: u32 = 10;
/// How long an action waits for a person: as long as an agent blocked on it is worth keeping awake.
pub const PENDING_LIFE: Duration = Duration::from_mins(5);
/// Longest wait a lane may set instead: a working day, for what is decided by somebody elsewhere.
pub const PENDING_LIFE_MAX: Duration = Duration::from_hours(24);
/// How long an approval may be used. It is used at once unless the process died; then the same moment of
/// consent must not run something much later.
pub const APPROVAL_LIFE: Duration = Duration::from_mins(5);
/// How often overdue actions and grants are looked for, and how many one look may end.
pub const ACTION_SWEEP_EVERY: Duration = Duration::from_mins(1);
/// Outlives the pause between two sweeps, so that one instance keeps the work.
pub const ACTION_SWEEP_LEASE: Duration = Duration::from_secs(90);
pub const ACTION_SWEEP_BATCH_MAX: u32 = 100;
/// Bytes of parameters or of a result as JSON in the record that people see; the whole is an artifact.
pub const ACTION_RECORD_BYTES_MAX: usize = 10 * 1024;
/// Characters in an integration's or an action's name. MCP allows a tool's name 128; `connector:` and a UUID
/// have 46.
pub const INTEGRATION_NAME_LENGTH_MAX: usize = 64;
pub const ACTION_NAME_LENGTH_MAX: usize = 128;
/// Calls one grant may be made for. Who wants more wants no limit, and should say so.
pub const GRANT_CALLS_MAX: u32 = 1_000_000;
/// Conditions of one grant: more than fit on a screen are not reviewed.
pub const GRANT_PREDICATES_MAX: usize = 10;
/// Characters in the pointer of a condition, values it may list, and bytes of one value as JSON.
pub const PREDICATE_POINTER_LENGTH_MAX: usize = 200;
pub const PREDICATE_VALUES_MAX: usize = 50;
pub const PREDICATE_VALUE_BYTES_MAX: usize = 1000;
/// Grants looked at for one call, newest first. An organization with more that match one call has a
/// wildcard among them.
pub const GRANT_CANDIDATES_MAX: u32 = 100;
/// How long a grant that can no longer be used is kept for the ledger: as long as a backtest looks back.
pub const GRANT_RETENTION: Duration = Duration::from_hours(24 * 30);
/// How long an agent's wish for a grant waits. Nobody is blocked on it, so it may wait for the next morning.
pub const GRANT_REQUEST_LIFE: Duration = Duration::from_hours(24);
/// Such wishes of one session that may wait at once; for the same reason as actions.
pub const GRANT_REQUESTS_PENDING_PER_SESSION_MAX: u32 = 10;
/// How far back a backtest looks, and how many calls it judges: each has parameters to be opened and read.
pub const BACKTEST_WINDOW: Duration = Duration::from_hours(24 * 30);
pub const BACKTEST_CALLS_MAX: usize = 10_000;
/// Bytes of text in one value that are searched for secrets; what is beyond is left out. Four times a
/// request's body; the search takes up to some twenty times the longest text in memory.
pub const REDACTION_BYTES_MAX: usize = 4 * REQUEST_BODY_BYTES_MAX;
/// Bytes of all searches of one value together: a value of the largest size with a layer of JSON as text
/// inside is searched four times if there is a secret in it.
pub const REDACTION_SEARCH_BYTES_MAX: usize = 8 * REDACTION_BYTES_MAX;
/// How many levels of JSON written as text inside JSON are opened. Tools answer with one.
pub const REDACTION_NESTING_MAX: usize = 3;
/// How often a text is searched again after something was taken out of it. The second time finds nothing
/// but in texts made for it; such a text is left out whole.
pub const REDACTION_PASSES_MAX: usize = 4;
/// Bytes of the shortest secret that is searched for in results. Shorter ones are in ordinary words.
pub const FINGERPRINT_BYTES_MIN: usize = 6;

// --- Audit --------------------------------------------------------------------------------------

/// Bytes of a record as it is hashed. The entry bundles of tiled logs (C2SP) have room for no more, so
/// that a log can be published as one.
pub const AUDIT_RECORD_BYTES_MAX: usize = 65_535;
/// Bytes of an event: a record less its place in the log, which takes under 600.
pub const AUDIT_EVENT_BYTES_MAX: usize = 64_000;
/// Events given their places in one transaction: few enough that a writer waits milliseconds for it,
/// enough that the commit costs each event little.
pub const AUDIT_SEQUENCE_BATCH_MAX: u32 = 500;
/// Batches of one organization before the others have their turn.
pub const AUDIT_BATCHES_PER_ROUND_MAX: u32 = 20;
/// Organizations looked after in one round; the next round goes on with those after them.
pub const AUDIT_ORGANIZATIONS_PER_ROUND_MAX: u32 = 100;
/// Pause between two rounds: how long an event waits for its place while there is little to do.
pub const AUDIT_ROUND_EVERY: Duration = Duration::from_secs(1);
/// Outlives the pause between two rounds and a slow round, so that one instance keeps the work.
pub const AUDIT_LEASE: Duration = Duration::from_secs(30);
/// A checkpoint is signed after this many events, and for fewer after this long: what came after the last
/// one is what somebody who holds the database could still rewrite unseen.
pub const AUDIT_CHECKPOINT_EVENTS: u64 = 1000;
pub const AUDIT_CHECKPOINT_EVERY: Duration = Duration::from_mins(1);
/// An event this much older than the one before it in the log is marked: a clock was set back. Below it are
/// the differences between machines' clocks and between recording and committing.
pub const AUDIT_CLOCK_STEP_MIN: Duration = Duration::from_secs(1);
/// A log in which nothing happened for this long says so, that silence can be told from a gap.
pub const AUDIT_HEARTBEAT_EVERY: Duration = Duration::from_hours(1);
/// Pause between two rounds of copying checkpoints to storage: soon after they were signed.
pub const AUDIT_COPY_EVERY: Duration = Duration::from_secs(5);
/// Outlives the pause and a slow round, so that one instance keeps the work.
pub const AUDIT_COPY_LEASE: Duration = Duration::from_mins(1);
/// Checkpoints to copy that are read at once; a note has some 300 bytes.
pub const AUDIT_COPIES_PER_PAGE_MAX: u32 = 100;
/// Records read at once while a log is signed or exported; at most 32 MB of the largest, usually 400 KB.
pub const AUDIT_PAGE_MAX: u32 = 500;
/// Records of a trail proven at once: each proof reads and hashes some hundred nodes, 0.2 ms.
pub const AUDIT_PROOFS_PAGE_MAX: u32 = 100;
/// Blocks of 256 hashes kept while proofs are made: 512 KB, and four levels of a log of billions use few.
pub const AUDIT_PROOF_BLOCKS_MAX: usize = 64;
/// Earlier checkpoints in the bundle of a trail. Each has a proof of about 2 KB.
pub const AUDIT_BUNDLE_CHECKPOINTS_MAX: u64 = 1000;
/// Policy files and artifacts read at once for a bundle; a policy file has at most 1 MB.
pub const AUDIT_EVIDENCE_PAGE_MAX: u32 = 20;
/// Bytes of artifacts in one bundle; of what does not fit there are the digests.
pub const AUDIT_BUNDLE_CONTENT_BYTES_MAX: u64 = 512 * 1024 * 1024;
/// Bytes of an artifact in one line of a bundle; in base64 it is about as long as a record may be.
pub const AUDIT_CONTENT_LINE_BYTES: usize = 48 * 1024;
/// Bytes of any line of a bundle: a policy file with every character escaped.
pub const AUDIT_BUNDLE_LINE_BYTES_MAX: usize = 8 * POLICY_FILE_BYTES_MAX;
/// Records between two signs of progress of a verification: several a second.
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
