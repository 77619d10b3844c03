//! Bounds of repositories on their way into sandboxes and out of them.

use std::time::Duration;

/// Requests of git that are carried at once: each may be a large repository on a slow line, and holds a connection
/// on either side.
pub const GIT_STREAMS_MAX: usize = 64;
/// Bytes of what git asks for when it fetches: the commits it wants and has, some 50 bytes each.
pub const GIT_ASK_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Bytes of one push: far above a day's work, and large files are what hosts refuse anyway.
pub const GIT_PUSH_BYTES_MAX: u64 = 1024 * 1024 * 1024;
/// Bytes of what is fetched at once: the disk of a sandbox has little more.
pub const GIT_FETCH_BYTES_MAX: u64 = 8 * 1024 * 1024 * 1024;
/// Bytes of the list of branches at the beginning of a push, some 150 for each.
pub const GIT_PUSH_HEAD_BYTES_MAX: usize = 64 * 1024;
/// Bytes of the name of a branch: as long as the path of a file may be, which is what servers keep it as.
pub const GIT_REF_BYTES_MAX: usize = 4096;
/// Bytes of what a server says to a push: a line for each branch, and what its hooks have to say.
pub const GIT_REPORT_BYTES_MAX: u64 = 1024 * 1024;
/// Longest pause within what is sent either way. Servers that count say so every five seconds.
pub const GIT_STALL_MAX: Duration = Duration::from_mins(1);
/// Longest that one request of git may take, as long as a clone may.
pub const GIT_REQUEST_MAX: Duration = super::REPO_CLONE_TIMEOUT;
/// Characters that people are shown of what git complained about.
pub const GIT_COMPLAINT_LENGTH_MAX: usize = 300;
