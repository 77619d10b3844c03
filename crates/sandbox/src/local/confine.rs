//! Limits on what the kernel counts by user: inotify instances and watches, namespaces, pending signals. An outer user
//! namespace around each sandbox holds the limits, and no program inside can raise them. In the root tier that namespace has
//! an owner of its own, so the kernel keeps a separate count for each sandbox.
//!
//! Files belong to the same user in every sandbox, so restoring one changes no owner.

use std::net::Ipv4Addr;

use domain::limits::{
    SANDBOX_INOTIFY_INSTANCES_MAX, SANDBOX_INOTIFY_WATCHES_MAX, SANDBOX_LOCKED_MEMORY_BYTES_MAX,
    SANDBOX_MESSAGE_QUEUE_BYTES_MAX, SANDBOX_NAMESPACES_MAX, SANDBOX_OPEN_FILES_MAX,
    SANDBOX_OTHER_NAMESPACES_MAX, SANDBOX_PENDING_SIGNALS_MAX,
};
use rustix::process::{Resource, getrlimit};

/// Owner of the first sandbox's namespace; the others follow. Above the range that systemd gives to containers. No program
/// runs as one of these users, except while the namespace is made.
pub(super) const FIRST_OWNER: u32 = 1_879_100_000;

/// Returns the owner of the outer namespace of the sandbox with this address.
pub(super) fn namespace_owner(inside: Ipv4Addr) -> u32 {
    FIRST_OWNER + (u32::from(inside) & 0xffff)
}

/// Starts a helper that maps the sandbox's user into the namespace as soon as it exists, which only root may. The rest of
/// the command line then runs as the namespace's owner.
pub(super) const NAMESPACE_SCRIPT: &str = r#"if test -n "$OWNER"; then
  mkfifo -m 600 "$RUN/ask" "$RUN/told"
  exec 3<>"$RUN/ask" 4<>"$RUN/told"
  rm "$RUN/ask" "$RUN/told"
  own=$$
  ( (
    read -r word <&3
    if echo "$INSIDE $INSIDE 1" > /proc/$own/uid_map && echo "$INSIDE $INSIDE 1" > /proc/$own/gid_map; then
      echo go >&4
    else
      echo no >&4
    fi
  ) </dev/null >/dev/null 2>&1 & )
fi
"#;

/// Runs in the namespace and sets its limits. Where they cannot be written (the gateway is in a container with a read-only
/// `/proc/sys`) sandboxes run without them, which `missing_limits` in `probe.rs` finds out.
const LIMIT_SCRIPT: &str = r#"if test -n "$OWNER"; then
  echo ready >&3
  read -r word <&4
  test "$word" = go || exit 125
  exec 3>&- 4>&-
fi
for limit in $LIMITS; do
  echo "${limit#*=}" 2>/dev/null > "/proc/sys/user/${limit%=*}" || true
done
unset LIMITS OWNER INSIDE
exec "$@""#;

/// Returns the words that create the namespace of this owner and run the rest in it.
pub(super) fn namespace_words(owner: u32) -> Vec<String> {
    let owner = owner.to_string();
    let words = [
        "setpriv",
        "--reuid",
        &owner,
        "--regid",
        &owner,
        "--clear-groups",
        // Some machines create a namespace for a user with this capability alone.
        "--inh-caps=+sys_admin",
        "--ambient-caps=+sys_admin",
        "--",
        "unshare",
        "--user",
        "--keep-caps",
        "--",
    ];
    words.map(str::to_owned).into()
}

/// Returns the words that set the limits of the current namespace and of the programs after them.
pub(super) fn limit_words() -> Vec<String> {
    let mut words = ["/bin/sh", "-c", LIMIT_SCRIPT, "sh"]
        .map(str::to_owned)
        .to_vec();
    words.extend(resource_words());
    words
}

/// Returns the words that become the sandbox's user, without any capability.
pub(super) fn user_words(user: u32) -> Vec<String> {
    let user = user.to_string();
    let words = [
        "setpriv",
        "--reuid",
        &user,
        "--regid",
        &user,
        "--keep-groups",
        "--inh-caps=-all",
        "--ambient-caps=-all",
        "--bounding-set=-all",
        "--no-new-privs",
        "--",
    ];
    words.map(str::to_owned).into()
}

/// Returns the namespace's limits, as the kernel names them.
pub(super) fn namespace_limits() -> String {
    let counts = [
        ("inotify_instances", SANDBOX_INOTIFY_INSTANCES_MAX),
        ("inotify_watches", SANDBOX_INOTIFY_WATCHES_MAX),
        ("fanotify_groups", 0),
        ("user_namespaces", SANDBOX_NAMESPACES_MAX),
        ("mnt_namespaces", SANDBOX_NAMESPACES_MAX),
        ("pid_namespaces", SANDBOX_OTHER_NAMESPACES_MAX),
        ("ipc_namespaces", SANDBOX_OTHER_NAMESPACES_MAX),
        ("uts_namespaces", SANDBOX_OTHER_NAMESPACES_MAX),
        ("cgroup_namespaces", SANDBOX_OTHER_NAMESPACES_MAX),
        ("net_namespaces", 0),
        ("time_namespaces", 0),
    ];
    let limits = counts.map(|(name, max)| format!("max_{name}={max}"));
    limits.join(" ")
}

/// Returns the words that set resource limits. The kernel also applies the limits of signals, queues and locked memory to the
/// sum over the user namespace that is created after them. Never above this process' own limits.
pub(super) fn resource_words() -> Vec<String> {
    let bounds = [
        ("nofile", Resource::Nofile, SANDBOX_OPEN_FILES_MAX),
        (
            "sigpending",
            Resource::Sigpending,
            SANDBOX_PENDING_SIGNALS_MAX,
        ),
        (
            "msgqueue",
            Resource::Msgqueue,
            SANDBOX_MESSAGE_QUEUE_BYTES_MAX,
        ),
        (
            "memlock",
            Resource::Memlock,
            SANDBOX_LOCKED_MEMORY_BYTES_MAX,
        ),
    ];
    let bound = |(name, resource, max): (&str, Resource, u64)| {
        let ours = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let max = max.min(ours);
        format!("--{name}={max}:{max}")
    };
    let words = std::iter::once("prlimit".to_owned());
    words
        .chain(bounds.map(bound))
        .chain(["--".to_owned()])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_differ_and_are_outside_of_known_ranges() {
        let first = namespace_owner(Ipv4Addr::new(198, 18, 0, 2));
        let last = namespace_owner(Ipv4Addr::new(198, 18, 255, 254));
        assert!(first > 1_879_048_191 && first < last && last < 0x7fff_ffff);
    }

    #[test]
    fn limits_are_words_of_a_shell() {
        assert!(namespace_limits().starts_with("max_inotify_instances=32 max_inotify_watches="));
        let words = resource_words();
        assert_eq!(words[0], "prlimit");
        assert!(
            words.iter().any(|word| word == "--sigpending=2048:2048"),
            "{words:?}"
        );
    }
}
