//! Every bound of the command, with the reason for its number.

use std::time::Duration;

/// How long `run` and `wait` wait unless told otherwise. Shells of coding agents commonly end a command
/// after two minutes; a command that ends before that can still say how to go on.
pub(crate) const WAIT_SECONDS_DEFAULT: u64 = 100;
/// The longest wait of one command. Approvals are asked for minutes; who waits longer starts again with
/// `wait`, and so gets to know a new gateway address or token.
pub(crate) const WAIT_SECONDS_MAX: u64 = 3600;
/// How long a gateway that does not answer is asked again, however short the wait: a gateway that is
/// replaced is back within seconds.
pub(crate) const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// Longer than a gateway lets a request take, so that its own answer comes first.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(40);
/// The least that a request is given when the deadline is near; less could not answer.
pub(crate) const REQUEST_TIMEOUT_MIN: Duration = Duration::from_secs(1);
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Between two looks at an invocation: a person who approved does not notice it.
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
/// Refused members that are named; nobody mends more in one go.
pub(crate) const FIELD_ERRORS_MAX: usize = 10;
/// Characters of an idempotency key, as a gateway takes it.
pub(crate) const IDEMPOTENCY_KEY_LENGTH_MAX: usize = 255;
