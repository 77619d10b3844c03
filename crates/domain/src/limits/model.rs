//! Bounds of the model proxy, and of the scripted model.

use std::time::Duration;

/// Largest request to the model: a context of 200,000 tokens with a few pictures in it.
pub const MODEL_REQUEST_BYTES_MAX: usize = 32 * 1024 * 1024;
/// Largest script: one of a hundred scenes has 50 KB.
pub const SCRIPT_BYTES_MAX: usize = 1024 * 1024;
/// Steps of a script evaluated for one response. A script that waits for something repeats some
/// hundred.
pub const SCRIPT_STEPS_MAX: usize = 10_000;
/// Times that one part of a script repeats.
pub const SCRIPT_REPEATS_MAX: u32 = 1000;
/// Depth of a script's steps and of blocks in a prompt: deeper ones are not readable.
pub const SCRIPT_DEPTH_MAX: usize = 16;
/// Longest pause that a script can request.
pub const SCRIPT_PAUSE_MAX: Duration = Duration::from_mins(10);
/// Faults remembered, so that one that is to happen twice does not happen a third time; the oldest are
/// dropped.
pub const SCRIPT_FAULTS_KEPT_MAX: usize = 1024;
/// Faults that can be queued from outside.
pub const SCRIPT_FAULTS_QUEUED_MAX: usize = 100;
/// Requests to the model kept for inspection; the oldest are dropped.
pub const SCRIPT_REQUESTS_KEPT_MAX: usize = 256;

// --- The way to the model ------------------------------------------------------------------------

/// Requests to the model that one instance has under way: a busy agent has two or three.
pub const MODEL_CALLS_AT_ONCE_MAX: usize = 512;
/// Bytes of requests held at once: thirty-two of the largest, or ten thousand usual ones.
pub const MODEL_REQUEST_BYTES_AT_ONCE_MAX: usize = 32 * MODEL_REQUEST_BYTES_MAX;
/// Longest wait for a connection to the provider with its TLS handshake.
pub const MODEL_CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest silence of the provider, before its response and within it: the timeout of its own libraries. A
/// model that thinks and does not stream sends nothing for minutes.
pub const MODEL_SILENCE_MAX: Duration = Duration::from_mins(10);
/// Longest until the head of a response: the silence, and the work before it.
pub const MODEL_HEAD_TIMEOUT: Duration = Duration::from_mins(11);
/// Longest response from its first byte to its last: three times the longest that was seen.
pub const MODEL_ANSWER_MAX: Duration = Duration::from_hours(1);
/// Longest that a client may leave a piece of a response unread: one that is frozen for a snapshot resumes
/// sooner.
pub const MODEL_STALL_MAX: Duration = Duration::from_mins(5);
/// Pieces of a response read ahead of the client, each no larger than one network read.
pub const MODEL_PIECES_AHEAD_MAX: usize = 4;
/// Largest event of a stream that is parsed: those that report usage have 1 KB. Larger ones pass unparsed.
pub const MODEL_EVENT_BYTES_MAX: usize = 16 * 1024;
/// Largest whole response that is parsed: 128,000 tokens have 1 MB. A larger one passes, and its usage is
/// estimated.
pub const MODEL_WHOLE_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Largest error of the provider that is passed on: its own have 300 bytes.
pub const MODEL_REFUSAL_BYTES_MAX: usize = 64 * 1024;
/// Bytes of text per token, where a count has to be estimated: the usual rule, and on the high side for code.
pub const MODEL_BYTES_PER_TOKEN: usize = 4;
/// Most tokens of one kind that are accepted for one request: fifty times the largest context.
pub const MODEL_TOKENS_COUNTED_MAX: i64 = 10_000_000;
/// Largest budget of a session, a million dollars, far from where sums overflow.
pub const MODEL_BUDGET_MICRO_USD_MAX: i64 = 1_000_000_000_000;
