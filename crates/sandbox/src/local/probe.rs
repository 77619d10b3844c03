//! Finds out by trying which tier this machine allows.

use std::process::{Command, Stdio};

use domain::limits::SANDBOX_INOTIFY_INSTANCES_MAX;

use super::{cgroup::CgroupHierarchy, confine, program, tier::Tier};

/// The tier that this machine allows, and what is missing for more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TierReport {
    /// `None` where no sandbox can be made.
    pub tier: Option<Tier>,
    /// Why it is not a better one, and what to do about it.
    pub missing: Vec<String>,
    /// Limits that the tier otherwise sets and that cannot be set on this machine.
    pub missing_limits: Vec<String>,
}

/// Tries the tiers, the better one first.
pub fn probe() -> TierReport {
    let mut missing = Vec::new();
    for (tier, problems) in [
        (Tier::Root, root_problems()),
        (Tier::Rootless, rootless_problems()),
    ] {
        if problems.is_empty() {
            return TierReport {
                tier: Some(tier),
                missing,
                missing_limits: missing_limits(tier),
            };
        }
        let of = |problem| format!("{}: {problem}", tier.as_str());
        missing.extend(problems.into_iter().map(of));
    }
    TierReport {
        tier: None,
        missing,
        missing_limits: Vec::new(),
    }
}

/// Tries the limits that a tier sets where it can. Sandboxes are made without them, too.
pub fn missing_limits(tier: Tier) -> Vec<String> {
    let namespace = match tier {
        Tier::Root => confine::namespace_words(confine::FIRST_OWNER).join(" "),
        Tier::Rootless => "unshare --user --map-root-user --".to_owned(),
    };
    let limit = format!(
        "{namespace} sh -c 'echo {SANDBOX_INOTIFY_INSTANCES_MAX} > /proc/sys/user/max_inotify_instances'"
    );
    failing_tries(&[(
        "sandboxes run without limits of their own for inotify and namespaces: `/proc/sys/user` cannot be written (give the \
         gateway's container a writable `/proc/sys`, or run the gateway outside of one)",
        &limit,
    )])
}

fn missing_programs(wanted: &[(&str, &str)]) -> Vec<String> {
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

fn root_problems() -> Vec<String> {
    if !rustix::process::geteuid().is_root() {
        return vec!["not started as root".to_owned()];
    }
    let mut problems = missing_programs(&BOTH);
    problems.extend(missing_programs(&[
        ("ip", "iproute2"),
        ("nft", "nftables"),
        ("setpriv", "util-linux"),
        ("mkfs.ext4", "e2fsprogs"),
    ]));
    if !problems.is_empty() {
        return problems;
    }
    if let Err(error) = CgroupHierarchy::find() {
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
    problems.extend(failing_tries(&tries));
    problems
}

fn rootless_problems() -> Vec<String> {
    let problems = missing_programs(&BOTH);
    if !problems.is_empty() {
        return problems;
    }
    failing_tries(&[
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

fn failing_tries(tries: &[(&str, &str)]) -> Vec<String> {
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
