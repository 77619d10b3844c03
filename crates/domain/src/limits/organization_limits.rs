//! Bounds of the limits that an operator and the admins of an organization set, of their notices, and of the admission
//! service.

use std::time::Duration;

/// Largest limit of live sessions or of sandboxes: two hundred instances full of sessions.
pub const LIMIT_SESSIONS_MAX: i64 = 100_000;
/// Largest limit of storage: a petabyte, far from where sums overflow.
pub const LIMIT_STORAGE_BYTES_MAX: i64 = 1_000_000_000_000_000;
/// Shares of a day's or month's spend limit at which the organization is noticed.
pub const SPEND_NOTICE_PERCENTS: [i64; 2] = [80, 100];
/// How old a count of stored bytes may be before a sweep counts again: results of calls are added by it.
pub const STORAGE_COUNT_EVERY: Duration = Duration::from_hours(1);
/// Organizations that one sweep counts, oldest count first. Each is a sum over its artifacts.
pub const STORAGE_COUNT_BATCH_MAX: u32 = 20;
/// Sessions resting for a spend limit that go on at once when it is raised; the others go on when the period ends, or at
/// their next prompt.
pub const SPEND_RAISE_SESSIONS_MAX: u32 = 1000;

// --- Admission ----------------------------------------------------------------------------------

/// Longest that a request waits for the operator's admission service, unless the operator sets it: a person waits for it.
pub const ADMISSION_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest that the operator may set: below a request's own timeout, so that the more precise error wins.
pub const ADMISSION_TIMEOUT_MAX: Duration = Duration::from_secs(20);
/// Largest reply of the admission service: a decision and a sentence.
pub const ADMISSION_REPLY_BYTES_MAX: usize = 16 * 1024;
/// Characters of the sentence of a denial that users are shown.
pub const ADMISSION_REASON_LENGTH_MAX: usize = 300;
/// Requests to the admission service that one instance has under way.
pub const ADMISSIONS_AT_ONCE_MAX: usize = 128;
