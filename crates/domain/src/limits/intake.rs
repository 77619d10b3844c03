//! Bounds of what is read from servers in sandboxes, above all the agent's. Any program in a sandbox can respond in its
//! place: each number states what a real agent needs, and what the maximum costs the gateway.

use std::time::Duration;

/// Largest short response of the agent: its health, a session, the status of sessions.
pub const AGENT_SHORT_ANSWER_BYTES_MAX: usize = 1024 * 1024;
/// Largest response of the agent: a page of messages with the output of tools, each up to 50 KB, and
/// pictures.
pub const AGENT_ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Largest event of the agent: a tool's part with its whole output and a picture, of which models take 5 MB.
pub const AGENT_EVENT_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Bytes of the agent's record that are read when its stream is connected again. Older messages are not shown.
pub const AGENT_RECORD_BYTES_MAX: usize = 32 * 1024 * 1024;
/// Memory that the pages of that record take once they are parsed, as it is estimated before. A thousand messages take
/// 30 KB each beside their text; the metadata of tools is several times as large. Older messages are not shown.
pub const AGENT_RECORD_MEMORY_MAX: usize = 64 * 1024 * 1024;
/// Pages of that record: twice as many as `AGENT_MESSAGES_MAX` messages take.
pub const AGENT_RECORD_PAGES_MAX: usize = 40;
/// Longest that all requests for the record may take: some seconds for the largest on a busy machine.
pub const AGENT_RECORD_TIME_MAX: Duration = Duration::from_mins(2);
/// Levels of JSON within one another. The arguments of tools are the deepest and have a dozen.
pub const SANDBOX_JSON_DEPTH_MAX: usize = 64;
/// Memory that one answer or event may take once it is parsed, as it is estimated before. Text takes as much as it has
/// bytes; a list of empty objects takes a hundred times as much.
pub const SANDBOX_JSON_MEMORY_MAX: usize = 32 * 1024 * 1024;
/// Memory that a JSON value takes beside its text: its place in a buffer that grows by doubling. A list has room for four
/// values at first, an object has a node of a B-tree.
pub const SANDBOX_JSON_VALUE_COST: usize = 64;
pub const SANDBOX_JSON_LIST_COST: usize = 160;
pub const SANDBOX_JSON_OBJECT_COST: usize = 640;
/// Bytes of an id or of a tool's name. The agent's own have 30, those of model providers up to 100.
pub const AGENT_ID_BYTES_MAX: usize = 500;
/// Characters of a title that is shown to users.
pub const AGENT_TITLE_LENGTH_MAX: usize = 300;
/// Memory of what was read from one session's sandbox and is still in use: events and the message history that wait for
/// the hub, and parsed responses of the agent and of the daemon. Two of the largest events, or three responses of a
/// daemon.
pub const AGENT_INFLIGHT_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Bytes of one message that is shown to users. A model writes half a megabyte, and each of its calls adds 64
/// KB.
pub const AGENT_MESSAGE_BYTES_MAX: usize = 16 * 1024 * 1024;
/// The same for all unfinished messages.
pub const AGENT_OPEN_BYTES_MAX: usize = 32 * 1024 * 1024;
/// Bytes that are read from one agent in a second, in the long run. A command with endless output makes it send its
/// last 30 KB a hundred times a second. Beyond it the gateway reads more slowly, and the agent waits.
pub const AGENT_READ_BYTES_PER_SECOND: u64 = 4 * 1024 * 1024;
/// Bytes that are read at once after a pause: the message history, and a burst of output.
pub const AGENT_READ_BURST_BYTES: u64 = 64 * 1024 * 1024;
/// The cost of an event and a request beside their bytes: parsing the smallest costs as much as copying some
/// kilobytes.
pub const AGENT_EVENT_COST: u64 = 512;
pub const AGENT_REQUEST_COST: u64 = 32 * 1024;
/// Bytes that are read from one agent in its life. Sending that much takes two and a half hours at the rate above; real
/// agents are restarted long before.
pub const AGENT_READ_BYTES_MAX: u64 = 32 * 1024 * 1024 * 1024;
/// Calls of tools that are watched for silence at once. A model makes a dozen in parallel; clients get a progress event
/// of each every quarter of a minute.
pub const AGENT_TOOLS_WATCHED_MAX: usize = 64;
