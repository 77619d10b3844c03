//! Booting a session.

use std::time::Duration;

/// Where the agent listens in its sandbox, unless the provider gives it another port.
pub const AGENT_PORT: u16 = 4096;
/// Longest an agent may take to answer: it takes 3 s on an idle machine, 8 s on a busy one.
pub const AGENT_BOOT_MAX: Duration = Duration::from_mins(1);
/// Longest a repository may take to be cloned: the largest of common ones have a few gigabytes.
pub const REPO_CLONE_TIMEOUT: Duration = Duration::from_mins(10);
/// Longest the workspace may take to be prepared, which is a dozen small programs.
pub const SANDBOX_SETTLE_TIMEOUT: Duration = Duration::from_secs(30);
/// Longest all sessions of a process may take to be put away when it ends: each is saved, and a snapshot of a big
/// workspace takes seconds. What stops processes usually waits half a minute before it kills them.
pub const HOUSE_CLOSE_MAX: Duration = Duration::from_secs(25);
