//! The two tiers of isolation, and what each does not protect.

use serde::{Deserialize, Serialize};

/// How strongly sandboxes are isolated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Namespaces, a user of their own, a network of their own with an allow-list, limits, a disk of their own.
    Root,
    /// Namespaces alone.
    Rootless,
}

impl Tier {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Rootless => "rootless",
        }
    }

    /// What an operator should know before running untrusted code in it.
    pub fn unprotected(self) -> &'static [&'static str] {
        match self {
            Self::Root => &[
                "the kernel is shared: a defect in it can be a way out",
                "all sandboxes run as one user outside; namespaces keep them apart, not permissions",
                "pipes are counted for all sandboxes together: when they have a thousand, new ones are smaller",
                "watches of epoll (`sysctl fs.epoll.max_user_watches`) and descriptors on their way through unix sockets \
                 (as many as one program may have open) are counted for all sandboxes together: one can use up what the \
                 others need",
                "reading from the disk and the network is not limited in speed",
            ],
            Self::Rootless => &[
                "the network is this machine's: everything it reaches can be reached from a sandbox",
                "memory, processors, processes and disk are not limited",
                "watches of files and of epoll, waiting signals, pipes and descriptors on their way through unix sockets \
                 count as your own user's: a few greedy sandboxes use up what that user has",
                "programs run as your own user outside, in namespaces that keep your files from them",
                "the kernel is shared: a defect in it can be a way out",
            ],
        }
    }
}
