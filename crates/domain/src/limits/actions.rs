//! Bounds of what agents do outside: actions, grants, sources, connectors and the schemas of both.

use std::time::Duration;

use super::{CONNECTORS_MAX, REQUEST_BODY_BYTES_MAX};

// --- Action sources -----------------------------------------------------------------------------

/// Longest call of an outside service, resolving its name included: seed 002 gives every adapter 30
/// s.
pub const SOURCE_CALL_TIMEOUT: Duration = Duration::from_secs(30);
/// Bytes of one response of an outside service, held in memory: fifty issues with long texts have under 1
/// MB, an event of Sentry with its stack traces up to 2 MB.
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
/// Entries in a list of labels or users: GitHub takes 10 assignees and 100 labels.
pub const SOURCE_LIST_MAX: usize = 50;
/// Pause proposed after a transient failure, where the service names none.
pub const SOURCE_RETRY_PAUSE: Duration = Duration::from_secs(5);
/// Pause proposed after a rate limit, where the service names none: GitHub asks for at least a minute.
pub const SOURCE_RATE_PAUSE: Duration = Duration::from_mins(1);
/// Longest pause that is accepted from a service: the windows of Linear and GitHub are an hour.
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
/// Schemas kept ready to check with: those of the lists of tools that some fifty sessions use.
pub const SCHEMAS_KEPT_MAX: usize = 1000;
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
/// Longest listing of a connector's tools, all pages and the handshake included. A caller waits for it.
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
/// How long a failed listing is cached: callers do not wait for a dead server twice in a row, and an admin
/// who repairs it does not wait long.
pub const CONNECTOR_FAILURE_TTL: Duration = Duration::from_secs(10);
/// Lists of tools kept by one instance, and their bytes together.
pub const CONNECTOR_LISTS_MAX: usize = 1000;
pub const CONNECTOR_LISTS_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Listings under way in one instance; further ones wait within their own deadline.
pub const CONNECTOR_LISTINGS_MAX: usize = 128;
/// Listings of one organization under way: all connectors that one session can have. Servers that hang
/// do not block other organizations.
pub const CONNECTOR_LISTINGS_PER_ORGANIZATION_MAX: usize = 2 * CONNECTORS_MAX;
/// Live connections to tool servers in one instance; the least recently used one is closed.
pub const CONNECTOR_LINKS_MAX: usize = 256;
/// Live connections of one organization: its own least recently used one is closed first.
pub const CONNECTOR_LINKS_PER_ORGANIZATION_MAX: usize = 64;
/// A connection unused this long is closed, and with it the server's session.
pub const CONNECTOR_LINK_IDLE: Duration = Duration::from_mins(5);
/// A connection goes to the addresses its name had when it was opened; after this long the name is resolved
/// again.
pub const CONNECTOR_LINK_LIFE: Duration = Duration::from_mins(15);
/// Longest session termination request to a server whose connection is closed; no caller waits for
/// it.
pub const CONNECTOR_GOODBYE_TIMEOUT: Duration = Duration::from_secs(3);
/// Requests under way on one connection.
pub const CONNECTOR_REQUESTS_MAX: usize = 64;
/// Times the rest of a response is requested when its stream was interrupted, and the pause before
/// each.
pub const CONNECTOR_RESUMES_MAX: usize = 3;
pub const CONNECTOR_RESUME_AFTER: Duration = Duration::from_millis(200);
/// Bytes of a generated guide: what fits into an agent's context beside its work.
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
/// A secret shorter than this is not searched for in a server's responses: it would be found
/// everywhere.
pub const CONNECTOR_SCRUB_BYTES_MIN: usize = 6;

// --- Actions ------------------------------------------------------------------------------------

/// Actions of one session that may wait for an approval at once. Approvers do not read more than ten
/// requests, and an agent that sends more is in a loop.
pub const PENDING_PER_SESSION_MAX: u32 = 10;
/// How long an action waits for an approval: as long as an agent blocked on it is worth keeping
/// awake.
pub const PENDING_LIFE: Duration = Duration::from_mins(5);
/// Longest wait a lane may set instead: a working day, for decisions that are made elsewhere.
pub const PENDING_LIFE_MAX: Duration = Duration::from_hours(24);
/// How long an approval may be used. It is used at once unless the process died; then an old approval
/// must not run something much later.
pub const APPROVAL_LIFE: Duration = Duration::from_mins(5);
/// The retry hint for a session with too many pending approval requests: by then one may have been decided.
pub const ACTION_PENDING_RETRY_AFTER: Duration = Duration::from_secs(30);
/// Overdue actions that one sweep may end; they are looked for with stuck sessions.
pub const ACTION_SWEEP_BATCH_MAX: u32 = 100;
/// Bytes of parameters or of a result as JSON in the record that users see; the whole is an artifact.
pub const ACTION_RECORD_BYTES_MAX: usize = 10 * 1024;
/// Characters in an integration's or an action's name. MCP allows a tool's name 128; `connector:` and a UUID
/// have 46.
pub const INTEGRATION_NAME_LENGTH_MAX: usize = 64;
pub const ACTION_NAME_LENGTH_MAX: usize = 128;
/// Calls one grant may be made for. An admin who wants more should choose no limit explicitly.
pub const GRANT_CALLS_MAX: u32 = 1_000_000;
/// Conditions of one grant: approvers do not review more than fits on a screen.
pub const GRANT_PREDICATES_MAX: usize = 10;
/// Characters in the pointer of a condition, values it may list, and bytes of one value as JSON.
pub const PREDICATE_POINTER_LENGTH_MAX: usize = 200;
pub const PREDICATE_VALUES_MAX: usize = 50;
pub const PREDICATE_VALUE_BYTES_MAX: usize = 1000;
/// Grants looked at for one call, newest first. An organization with more that match one call has a
/// wildcard among them.
pub const GRANT_CANDIDATES_MAX: u32 = 100;
/// Tools that are checked to report what a page of grants does not cover any more, and how many are shown of each: a
/// connector that changed all of its 512 tools is one thing to review.
pub const GRANT_TOOLS_READ_MAX: u32 = 1000;
pub const GRANT_SUSPENSIONS_SHOWN_MAX: usize = 20;
/// Patterns of grants that one transaction binds to the built-in actions, when the first release starts that does so.
pub const GRANTS_BOUND_MAX: u32 = 500;
/// How long a grant that can no longer be used is kept for the ledger: as long as a backtest looks back.
pub const GRANT_RETENTION: Duration = Duration::from_hours(24 * 30);
/// How long an agent's grant request waits. The agent is not blocked on it, so it may wait for the next
/// morning.
pub const GRANT_REQUEST_LIFE: Duration = Duration::from_hours(24);
/// Such requests of one session that may wait at once; for the same reason as actions.
pub const GRANT_REQUESTS_PENDING_PER_SESSION_MAX: u32 = 10;
/// How far back a backtest looks, and how many calls it judges: each has parameters to be opened and read.
pub const BACKTEST_WINDOW: Duration = Duration::from_hours(24 * 30);
pub const BACKTEST_CALLS_MAX: usize = 10_000;
/// Bytes of text in one value that are searched for secrets; the rest is left out. Four times a
/// request's body; the search takes up to some twenty times the longest text in memory.
pub const REDACTION_BYTES_MAX: usize = 4 * REQUEST_BODY_BYTES_MAX;
/// Bytes of all searches of one value together: a value of the largest size with a layer of JSON as text
/// inside is searched four times if there is a secret in it.
pub const REDACTION_SEARCH_BYTES_MAX: usize = 8 * REDACTION_BYTES_MAX;
/// How many levels of JSON written as text inside JSON are opened. Tools answer with one.
pub const REDACTION_NESTING_MAX: usize = 3;
/// How often a text is searched again after something was taken out of it. The second time finds nothing
/// except in crafted texts; such a text is left out whole.
pub const REDACTION_PASSES_MAX: usize = 4;
/// Bytes of the shortest secret that is searched for in results. Shorter ones occur in ordinary
/// words.
pub const FINGERPRINT_BYTES_MIN: usize = 6;
