//! Which tier this machine allows, found out by trying.

use std::process::{Command, Stdio};

use domain::limits::SANDBOX_INOTIFY_INSTANCES_MAX;
use serde::{Deserialize, Serialize};

use super::{cgroup::Groups, confine, program};

/// How well sandboxes are closed in.
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

/// What was found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// `None` where no sandbox can be made.
    pub tier: Option<Tier>,
    /// Why it is not a better one, and what to do about it.
    pub missing: Vec<String>,
    /// What the tier otherwise does and this machine does not let it do.
    pub gaps: Vec<String>,
}

/// Tries the tiers, the better one first.
pub fn probe() -> Report {
    let mut missing = Vec::new();
    for (tier, problems) in [(Tier::Root, root()), (Tier::Rootless, rootless())] {
        if problems.is_empty() {
            return Report {
                tier: Some(tier),
                missing,
                gaps: gaps(tier),
            };
        }
        let of = |problem| format!("{}: {problem}", tier.as_str());
        missing.extend(problems.into_iter().map(of));
    }
    Report {
        tier: None,
        missing,
        gaps: Vec::new(),
    }
}

/// Tries what a tier does without where the machine does not let it: sandboxes are made all the same.
pub fn gaps(tier: Tier) -> Vec<String> {
    let namespace = match tier {
        Tier::Root => confine::owned(confine::FIRST_OWNER).join(" "),
        Tier::Rootless => "unshare --user --map-root-user --".to_owned(),
    };
    let limit = format!(
        "{namespace} sh -c 'echo {SANDBOX_INOTIFY_INSTANCES_MAX} > /proc/sys/user/max_inotify_instances'"
    );
    failing(&[(
        "sandboxes run without limits of their own for inotify and namespaces: `/proc/sys/user` cannot be written (give the \
         gateway's container a writable `/proc/sys`, or run the gateway outside of one)",
        &limit,
    )])
}

fn programs(wanted: &[(&str, &str)]) -> Vec<String> {
    let absent = |(name, _): &&(&str, &str)| program::find(name).is_none();
    wanted
        .iter()
        .filter(absent)
        .map(|(name, package)| format!("{name} was not found (apt-get install {package})"))
        .collect()
}

const BOTH: [(&str, &str); 6] = [
    ("bwrap", "bubblewrap"),
    ("unshare", "util-linux"),
    ("nsenter", "util-linux"),
    ("prlimit", "util-linux"),
    ("mount", "mount"),
    ("env", "coreutils"),
];

fn root() -> Vec<String> {
    if !rustix::process::geteuid().is_root() {
        return vec!["not started as root".to_owned()];
    }
    let mut problems = programs(&BOTH);
    problems.extend(programs(&[
        ("ip", "iproute2"),
        ("nft", "nftables"),
        ("setpriv", "util-linux"),
        ("mkfs.ext4", "e2fsprogs"),
    ]));
    if !problems.is_empty() {
        return problems;
    }
    if let Err(error) = Groups::find() {
        problems.push(format!("control groups cannot be made: {error}"));
    }
    let tries = [
        (
            "no mounts of its own",
            "unshare --mount --propagation private -- sh -c \
             'mount -t tmpfs none /mnt && mkdir /mnt/l /mnt/u /mnt/w /mnt/m && \
             mount -t overlay -o lowerdir=/mnt/l,upperdir=/mnt/u,workdir=/mnt/w none /mnt/m'",
        ),
        ("no disks in files (loop devices)", "losetup --find"),
        (
            "no network namespaces or no packet filter",
            "unshare --net -- nft add table inet probe",
        ),
        (
            "no user namespaces for others",
            "setpriv --reuid 65500 --regid 65500 --clear-groups -- bwrap --unshare-user \
             --unshare-pid --ro-bind / / --proc /proc --dev /dev true && setpriv --reuid 1879100000 \
             --regid 1879100000 --clear-groups --inh-caps=+sys_admin --ambient-caps=+sys_admin -- \
             unshare --user --keep-caps true",
        ),
    ];
    problems.extend(failing(&tries));
    problems
}

fn rootless() -> Vec<String> {
    let problems = programs(&BOTH);
    if !problems.is_empty() {
        return problems;
    }
    failing(&[
        (
            "no user namespaces (`sysctl kernel.unprivileged_userns_clone=1`, on Ubuntu also \
             `kernel.apparmor_restrict_unprivileged_userns=0`)",
            "unshare --user --map-root-user --mount -- bwrap --unshare-user --unshare-pid \
             --ro-bind / / --proc /proc --dev /dev true",
        ),
        (
            "no overlay mounts in user namespaces (Linux 5.11 has them)",
            "unshare --user --map-root-user --mount -- sh -c \
             'mount -t tmpfs none /mnt && mkdir /mnt/l /mnt/u /mnt/w /mnt/m && \
             mount -t overlay -o userxattr,lowerdir=/mnt/l,upperdir=/mnt/u,workdir=/mnt/w none /mnt/m'",
        ),
    ])
}

fn failing(tries: &[(&str, &str)]) -> Vec<String> {
    let fails = |(_, line): &&(&str, &str)| {
        let status = Command::new("/bin/sh")
            .args(["-c", line])
            .env_clear()
            .env("PATH", program::PATH)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        !status.is_ok_and(|status| status.success())
    };
    let failing = tries.iter().filter(fails);
    failing.map(|(why, _)| (*why).to_owned()).collect()
}
