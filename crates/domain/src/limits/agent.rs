//! Bounds of the inputs of an agent's tools and of how its calls reach the gateway.

use std::time::Duration;

/// Characters in the remark that goes with a snapshot: a few sentences.
pub const SNAPSHOT_MESSAGE_LENGTH_MAX: usize = 1000;
/// Characters in an id that an agent repeats; a UUID has 36.
pub const TOOL_ID_LENGTH_MAX: usize = 200;
/// Characters in the summary of a run: several pages.
pub const SUMMARY_LENGTH_MAX: usize = 20_000;
/// References of one kind in the end of a run, and characters in one: addresses of web pages are shorter.
pub const REFERENCES_MAX: usize = 50;
pub const REFERENCE_LENGTH_MAX: usize = 2000;
/// Variables asked for at once: as many as an env file holds, and more than users fill in at once.
pub const REQUESTED_KEYS_MAX: usize = 50;
/// Characters that explain one variable.
pub const REQUESTED_KEY_DESCRIPTION_LENGTH_MAX: usize = 500;
/// Suggestions for one variable, and the parts of one.
pub const SUGGESTIONS_MAX: usize = 10;
pub const SUGGESTION_VALUE_LENGTH_MAX: usize = 2000;
pub const SUGGESTION_INSTRUCTIONS_LENGTH_MAX: usize = 2000;
/// Longest wait for the agent's browser, at its start and for one step: as long as a slow page takes. A browser
/// that hangs at its start holds up the first message for this long, and no other.
pub const BROWSER_TIMEOUT: Duration = Duration::from_secs(30);
/// How long one try of a tool call may go without an answer. A connection that a snapshot cut silently is
/// noticed by nothing else; a retry joins the running call. Below `REQUEST_TIMEOUT`, so that the client is
/// the first to give up.
pub const TOOL_CALL_ATTEMPT: Duration = Duration::from_secs(20);
/// How long a tool call is tried: twice the longest tool, so that an outage in the middle is bridged.
pub const TOOL_CALL_DEADLINE: Duration = Duration::from_mins(10);
/// The first pause of a tool call between two tries; each further one is twice as long.
pub const TOOL_CALL_PAUSE_FIRST: Duration = Duration::from_millis(500);
/// The longest of these pauses, so that a gateway that has restarted is noticed soon.
pub const TOOL_CALL_PAUSE_MAX: Duration = Duration::from_secs(8);
/// Tries in a row that may fail inside the gateway (a 500) before the call is given up: a blip passes, a bug
/// does not.
pub const TOOL_CALL_INTERNAL_MAX: u32 = 5;
/// Owners that one try is sent on to. One is usual, two happen while a session moves; more is a
/// redirect loop.
pub const TOOL_CALL_OWNER_HOPS_MAX: u32 = 3;
/// Bytes of an answer to a tool call that the sandbox reads: far above any response of the gateway.
pub const TOOL_CALL_ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Characters of an error that the model is shown.
pub const TOOL_CALL_REFUSAL_LENGTH_MAX: usize = 1000;
