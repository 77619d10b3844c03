//! Bounds of the gateway as an MCP server.

use std::time::Duration;

use super::REQUEST_TIMEOUT;

/// Tools on one page: some clients put every page into the model's context, and servers give 50 or so.
pub const MCP_TOOLS_PAGE_MAX: usize = 50;
/// Characters in a tool's name: what the interfaces of language models take.
pub const MCP_TOOL_NAME_LENGTH_MAX: usize = 64;
/// Characters of a tool's name that a connector's own name may take: most of it is the action's.
pub const MCP_TOOL_PREFIX_LENGTH_MAX: usize = 24;
/// How long a call waits for an approval: below the 60 s after which most clients and proxies give
/// up.
pub const MCP_WAIT: Duration = Duration::from_secs(50);
/// Longest wait a client may request if it gets progress notifications: below `AGENT_TOOL_SILENCE_MAX`, after which the
/// tool of an agent is ended. It ends with the invocation, whose expiry its lane and its organization decide; a call that
/// may be approved later is resumed.
pub const MCP_WAIT_MAX: Duration = Duration::from_mins(25);
/// How often a client is notified that its call still waits: clients and proxies give up on a silent
/// stream, the strictest after 15 s.
pub const MCP_PROGRESS_EVERY: Duration = Duration::from_secs(5);
/// How often a waiting call polls, in case a notice was lost.
pub const MCP_LOOK_EVERY: Duration = Duration::from_secs(2);
/// Calls that wait for an approval in one instance, a fourth of the requests under way; further ones return at
/// once with instructions to resume.
pub const MCP_WAITS_AT_ONCE_MAX: usize = 256;
/// Longest until the head of a response is sent: the longest wait without progress, and the work before
/// it.
pub const MCP_ANSWER_TIMEOUT: Duration =
    Duration::from_secs(MCP_WAIT.as_secs() + REQUEST_TIMEOUT.as_secs());
