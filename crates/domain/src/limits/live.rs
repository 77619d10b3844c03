//! Bounds of live sessions: the connection to the agent, the log, and the clients.

use std::time::Duration;

// --- Frames of clients --------------------------------------------------------------------------

/// Largest frame of a client that was authenticated at the upgrade: a prompt with its pictures, which are sent as text.
/// Twice the largest event of the log (`LIVE_EVENT_BYTES_MAX`), since a larger prompt cannot be stored, and JSON may
/// escape.
pub const LIVE_FRAME_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Largest frame of a client that gives its token in the first frame: the limit is set at the upgrade, when the client
/// is not authenticated yet. All such clients together (`SOCKETS_UNKNOWN_MAX`) hold 16 MiB at most.
pub const SOCKET_UNKNOWN_FRAME_BYTES_MAX: usize = 64 * 1024;
/// Pictures in one prompt: what models accept, and more than users paste.
pub const PROMPT_IMAGES_MAX: usize = 10;
/// Largest picture as a data URI: models take 5 MB, which is 6.7 MB of base64.
pub const PROMPT_IMAGE_BYTES_MAX: usize = 7 * 1024 * 1024;
/// Longest message of a commit or a snapshot.
pub const COMMIT_MESSAGE_LENGTH_MAX: usize = 5000;
/// Longest name of a branch: git's refs are files, whose names have at most 255 bytes.
pub const BRANCH_NAME_LENGTH_MAX: usize = 244;
/// Longest text of a pull request: GitHub's own bound is 65,536.
pub const PULL_REQUEST_BODY_LENGTH_MAX: usize = 65_536;
/// Files named in one commit; more are committed without naming them.
pub const COMMIT_FILES_MAX: usize = 1000;

// --- The agent ----------------------------------------------------------------------------------

/// One attempt to see whether the agent responds: it accepts connections about a second before it
/// responds to any, and never responds to those.
pub const AGENT_PROBE_TIMEOUT: Duration = Duration::from_millis(500);
/// Between the starts of two attempts: how much longer a boot may take because of it, a twentieth at best. Five are
/// under way at most.
pub const AGENT_PROBE_EVERY: Duration = Duration::from_millis(100);
/// Longest until the agent must respond: it takes 3 to 8 s on a busy machine.
pub const AGENT_READY_WAIT: Duration = Duration::from_secs(30);
/// Loading the agent's providers ahead of the first prompt takes 2 s, on a busy machine 10.
pub const AGENT_PREWARM_TIMEOUT: Duration = Duration::from_secs(30);
/// Longest connection setup to the agent; it is on this machine or one hop away.
pub const AGENT_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest for one request to the agent. The first one of all loads modules for 5 s.
pub const AGENT_REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// Tries of one request that can be repeated, with the pauses below between them.
pub const AGENT_REQUEST_TRIES: usize = 4;
/// First pause before a request is repeated; each next is twice as long.
pub const AGENT_RETRY_DELAY: Duration = Duration::from_millis(250);
/// Messages in a page of the agent's history.
pub const AGENT_MESSAGES_PAGE: usize = 50;
/// Messages read from the agent when its stream is connected again: a turn of some hundred steps.
pub const AGENT_MESSAGES_MAX: usize = 1000;
/// Events read from the agent and not processed yet; beyond it the agent's own socket waits.
pub const AGENT_EVENTS_QUEUED_MAX: usize = 256;
/// Without any byte for this long the agent's stream is dead: it sends a heartbeat every 10 s, some
/// versions every 30.
pub const AGENT_STREAM_SILENCE_MAX: Duration = Duration::from_secs(45);
/// Refused connections in a row after which the agent counts as ended: eight seconds and more, so that one that is
/// only slow is not given up.
pub const AGENT_GONE_MIN: usize = 4;
/// Pauses before the agent's stream is connected again; the last one repeats.
pub const AGENT_RECONNECT_DELAYS: [Duration; 5] = [
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(5),
    Duration::from_secs(10),
    Duration::from_secs(30),
];
/// A busy agent that sends nothing for this long is ended. Its own retries of an overloaded model
/// are 37 s apart at most, and each is reported.
pub const AGENT_MESSAGE_SILENCE_MAX: Duration = Duration::from_mins(5);
/// A tool without any event for this long is ended: longer than an approver has (5 min) and than the
/// agent's own limit of a command (10 min).
pub const AGENT_TOOL_SILENCE_MAX: Duration = Duration::from_mins(30);
/// How often clients get a progress event of a running tool.
pub const AGENT_TOOL_PROGRESS_EVERY: Duration = Duration::from_secs(15);
/// Parts of messages that are tracked at once; of a longer turn the oldest finished ones are dropped.
pub const AGENT_PARTS_TRACKED_MAX: usize = 4096;
/// Longest text of a part that is tracked: models write at most 128,000 tokens, half a megabyte. The rest
/// is sent when the part is finished, truncated.
pub const AGENT_TEXT_BYTES_MAX: usize = 1024 * 1024;
/// Largest result of a tool that is sent to clients; the agent truncates its own at 50 KB.
pub const LIVE_TOOL_RESULT_BYTES_MAX: usize = 64 * 1024;
/// Largest arguments of a tool that are sent to clients, as JSON: a file that is written.
pub const LIVE_TOOL_ARGS_BYTES_MAX: usize = 256 * 1024;
/// The estimated memory of those after parsing. Text takes as much as it has bytes; a list of a thousand entries with a
/// name and a state takes this much.
pub const LIVE_TOOL_ARGS_MEMORY_MAX: usize = 1024 * 1024;

// --- The log ------------------------------------------------------------------------------------

/// How long pieces of a text are batched into one event of the log: users do not notice the delay.
pub const LIVE_COALESCE_WAIT: Duration = Duration::from_millis(75);
/// Batched text that is written at once, without waiting.
pub const LIVE_COALESCE_BYTES_MAX: usize = 4 * 1024;
/// Events written in one statement: what accumulates while a hundred clients wait.
pub const LIVE_APPEND_MAX: usize = 128;
/// Bytes written in one statement, or one event: what a database writes within a tenth of a second.
pub const LIVE_APPEND_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Largest event of the log: the largest message a client can be sent.
pub const LIVE_EVENT_BYTES_MAX: usize = 2 * 1024 * 1024;
/// Events kept in memory for clients that reconnect; older ones are read from the database.
pub const LIVE_WINDOW_EVENTS_MAX: usize = 1024;
/// Bytes of them.
pub const LIVE_WINDOW_BYTES_MAX: usize = 512 * 1024;
/// Events of a session that are kept. A day of work has about 20,000; older ones end in a gap.
pub const LIVE_EVENTS_KEPT_MAX: u64 = 100_000;
/// Bytes of a session's events that are kept. A day of work has some ten megabytes; a program that responds in the
/// agent's place could otherwise fill the database with a hundred thousand of the largest.
pub const LIVE_EVENTS_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Bytes after which the log is trimmed again, although there are fewer events: an eighth of what
/// is kept.
pub const LIVE_TRIM_EVERY_BYTES: u64 = 32 * 1024 * 1024;
/// Events after which the log is trimmed again: a hundredth of what is kept.
pub const LIVE_TRIM_EVERY: u64 = 1000;
/// Events read from the database at once.
pub const LIVE_EVENTS_PAGE_MAX: u32 = 500;
/// Characters of them, or one event: a page of usual events has some hundred thousand.
pub const LIVE_EVENTS_PAGE_LENGTH_MAX: u32 = 4 * 1024 * 1024;
/// Messages that a new client gets; the log has the others. A long day has some hundred.
pub const TRANSCRIPT_MESSAGES_MAX: usize = 500;
/// Bytes of them: a page loads them in a second on a slow connection.
pub const TRANSCRIPT_BYTES_MAX: usize = 4 * 1024 * 1024;

// --- The hub ------------------------------------------------------------------------------------

/// The inbox of a hub: requests and events of the agent. A sender beyond it waits.
pub const HUB_INBOX_MAX: usize = 256;
/// Messages that wait to be written; beyond it the hub stops reading until some are.
pub const HUB_OUTBOX_MAX: usize = 1024;
/// Bytes of them: the texts of a hundred long answers. A thousand of the largest would be two gigabytes.
pub const HUB_OUTBOX_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Prompts that wait until a session is ready; further ones are refused.
pub const HUB_PROMPTS_QUEUED_MAX: usize = 100;
/// Concurrent tasks that the agent's events start: refusing a permission, checking whether the session may continue. A
/// real agent starts one at a time.
pub const HUB_ASIDES_MAX: usize = 8;
/// Events that a client may be behind before it has to catch up from the log.
pub const HUB_FANOUT_MAX: usize = 256;
/// Events of the log that are replayed when a hub starts: a day's work.
pub const HUB_REPLAY_EVENTS_MAX: u64 = 20_000;
/// How often a hub checks its watchdogs: the shortest of them counts seconds.
pub const HUB_TICK: Duration = Duration::from_secs(1);
/// Pauses before a session whose boot failed for now is retried automatically, while a request waits for it. A provider
/// that is busy has room within seconds, a database that restarts is back in half a minute, and a client that still
/// waits after two minutes should get an error. Even if each boot takes its longest, all of them are over before a
/// starting session counts as abandoned (`SESSION_STARTING_MAX`).
pub const HUB_BOOT_RETRY_DELAYS: [Duration; 5] = [
    Duration::from_secs(2),
    Duration::from_secs(5),
    Duration::from_secs(15),
    Duration::from_secs(30),
    Duration::from_mins(1),
];
/// Pause before the hub retries a failed database write.
pub const HUB_WRITE_RETRY_DELAY: Duration = Duration::from_millis(500);
/// Write attempts before the hub gives the session up: with the pauses a database has half a minute to restart.
pub const HUB_WRITE_TRIES: usize = 60;

/// Attempts to open a session: one may find that it just ended, and another opens it.
pub const HUB_OPEN_TRIES: u32 = 3;
/// Keys of notices and prompts in the log that a hub remembers, so that none is sent or accepted twice. A busy
/// session has some dozen in an hour; retries come within minutes.
pub const HUB_ONCE_KEYS_MAX: usize = 4096;
/// Invocations that are read when a hub catches up on missed notices.
pub const HUB_NOTICES_READ_MAX: u32 = 200;
/// Pause before a hub subscribes again to the notices of its session, after a failure.
pub const HUB_NOTICES_RETRY_DELAY: Duration = Duration::from_secs(5);
/// Forms shown at once: an agent requests everything in one call, and few ask twice.
pub const ENV_REQUESTS_SHOWN_MAX: usize = 20;

// --- Who watches --------------------------------------------------------------------------------

/// Clients that are listed in the presence of a session; of more, the first.
pub const PRESENCE_SHOWN_MAX: usize = 100;
/// Minimum interval between presence updates: users do not notice a faster one, and a thousand clients that
/// reconnect at once would cost a million messages.
pub const PRESENCE_EVERY: Duration = Duration::from_millis(250);
/// Frames that are queued ahead on one client's connection.
pub const WATCH_QUEUE_MAX: usize = 64;
/// Bytes that may wait for a client beyond them; above it the client gets only coarse events.
pub const WATCH_COARSE_BYTES: usize = 256 * 1024;
/// Most bytes that wait for a client. Further events are read from the log when it has read these.
pub const WATCH_BYTES_MAX: usize = 1024 * 1024;
/// How long so much may wait before the client is disconnected.
pub const WATCH_SLOW_MAX: Duration = Duration::from_secs(10);
/// How often a client that cannot keep up gets a snapshot of the text so far.
pub const WATCH_TEXT_EVERY: Duration = Duration::from_millis(500);
/// How often the backlog of a slow client is checked.
pub const WATCH_LOOK_EVERY: Duration = Duration::from_millis(100);
/// Keep-alive interval of a stream without events: below the half minute after which proxies close one.
pub const EVENTS_KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Events at the end of a session's log that a list searches for open forms: an agent that asked ends its turn long
/// before. A page of a list covers fifty sessions.
pub const FORM_EVENTS_LOOKED_AT_MAX: i64 = 1000;
/// Pages subscribed to their organization's news at once: a fifth of the subscriptions, the rest is for sessions.
pub const NEWS_STREAMS_MAX: usize = 2_000;
/// How often a stream re-authenticates its client without being told that permissions changed: how long a user who was
/// removed may still receive events when the instances cannot reach each other. Ten thousand streams are then 333 reads
/// by key a second.
pub const STANDING_EVERY: Duration = Duration::from_secs(30);
/// Changes of permissions that wait for a stream: a stream that misses some re-authenticates as if all concerned it.
pub const ACCESS_CHANGES_QUEUE_MAX: usize = 64;
/// Within how much time streams re-authenticate when a change may concern all of them: ten thousand are then 5,000 reads
/// by key a second, and a removed user still loses a stream within five seconds.
pub const ACCESS_RECHECK_SPREAD: Duration = Duration::from_secs(2);
/// Pause before a stream whose client could not be re-authenticated after a change tries again.
pub const ACCESS_RECHECK_RETRY_DELAY: Duration = Duration::from_secs(2);
/// Pause before an instance publishes a change again, or subscribes to changes again, while coordination is unavailable.
pub const ACCESS_CHANGES_RETRY_DELAY: Duration = Duration::from_secs(1);
/// Attempts to publish a change: as long as [`STANDING_EVERY`], after which every stream has looked by itself.
pub const ACCESS_PUBLISH_ATTEMPTS_MAX: u32 = 30;

// --- Connections of clients -----------------------------------------------------------------------

/// WebSockets of one process: a hundred sessions with a hundred users each.
pub const SOCKETS_MAX: usize = 10_000;
/// Of them, those that are not authenticated yet.
pub const SOCKETS_UNKNOWN_MAX: usize = 256;
/// Of these, those of one client address: a program that opens some sessions at once. Each lasts one round trip.
pub const SOCKETS_UNKNOWN_PER_PEER_MAX: usize = 16;
/// How long a client may take to authenticate: one round trip on a bad connection, and fetching a token first.
pub const SOCKET_AUTH_WAIT: Duration = Duration::from_secs(10);
/// Invalid frames before a connection is closed: a program with a mistake in it does not get better.
pub const SOCKET_BAD_FRAMES_MAX: u32 = 10;
/// Slow requests that a client may have under way at once: a user may press a button twice.
pub const SOCKET_ASKED_MAX: usize = 8;
/// How long a client may read nothing at all before it is disconnected.
pub const SOCKET_STALL_MAX: Duration = Duration::from_secs(30);
/// Unanswered pings before a client counts as gone.
pub const SOCKET_PINGS_UNANSWERED_MAX: u32 = 3;
/// How long a client has to read the close reason.
pub const SOCKET_CLOSE_WAIT: Duration = Duration::from_secs(2);
/// Buffer for a client's frames: they are small, and larger ones grow it.
pub const SOCKET_READ_BUFFER_BYTES: usize = 4 * 1024;
/// Bytes that are buffered for a client before they are written.
pub const SOCKET_WRITE_BUFFER_BYTES: usize = 16 * 1024;
/// Largest frame of a terminal in either direction: a large text that is pasted; larger ones are
/// split.
pub const TERMINAL_FRAME_BYTES_MAX: usize = 256 * 1024;
/// Requests to previews that are under way at once: a browser opens six for each viewer.
pub const PREVIEW_STREAMS_MAX: usize = 256;
/// How long a preview URL is valid: an hour of viewing, and then it is opened again.
pub const PREVIEW_TICKET_LIFE: Duration = Duration::from_hours(1);
/// Bytes of the ticket in the URL: twice the ids and the expiry, sealed.
pub const PREVIEW_TICKET_BYTES_MAX: usize = 2048;
/// Bytes of a request to a preview: a test upload.
pub const PREVIEW_REQUEST_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Bytes of such requests held at once: sixteen of the largest, or the maximum number of requests with a form
/// each.
pub const PREVIEW_BYTES_AT_ONCE_MAX: usize = 16 * PREVIEW_REQUEST_BYTES_MAX;
/// How long a server in a sandbox may take to start its response; one that builds pages on request takes seconds.
pub const PREVIEW_HEAD_TIMEOUT: Duration = Duration::from_secs(25);
