//! Bounds of repositories on their way into sandboxes and out of them.

use std::time::Duration;

/// Requests of git that are proxied at once: each may be a large repository on a slow connection, and holds a
/// connection on either side.
pub const GIT_STREAMS_MAX: usize = 64;
/// Bytes of git's request when it fetches: the commits it wants and has, some 50 bytes each.
pub const GIT_ASK_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Bytes of one push: far above a day's work, and hosts refuse larger files anyway.
pub const GIT_PUSH_BYTES_MAX: u64 = 1024 * 1024 * 1024;
/// Bytes of one fetch: the disk of a sandbox holds little more.
pub const GIT_FETCH_BYTES_MAX: u64 = 8 * 1024 * 1024 * 1024;
/// Bytes of the list of branches at the beginning of a push, some 150 for each.
pub const GIT_PUSH_HEAD_BYTES_MAX: usize = 64 * 1024;
/// Bytes of the name of a branch: as long as the path of a file may be, which is what servers keep it as.
pub const GIT_REF_BYTES_MAX: usize = 4096;
/// Bytes of a server's report about a push: a line for each branch, and the output of its hooks.
pub const GIT_REPORT_BYTES_MAX: u64 = 1024 * 1024;
/// Longest pause in either direction. Servers that prepare a pack send progress every five seconds.
pub const GIT_STALL_MAX: Duration = Duration::from_mins(1);
/// Longest that one request of git may take, as long as a clone may.
pub const GIT_REQUEST_MAX: Duration = super::REPO_CLONE_TIMEOUT;
/// Characters of git's error output that are shown to users.
pub const GIT_COMPLAINT_LENGTH_MAX: usize = 300;
