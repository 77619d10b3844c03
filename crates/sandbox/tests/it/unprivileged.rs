//! The rootless tier as a user without rights: this program again, as another user.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    process::{Command, Stdio},
};

use sandbox::local::{Tier, missing_limits};

/// Owns nothing on any machine of ours.
const OTHER_USER: &str = "65533";

mod rootless {
    use sandbox::local::{Tier, probe};

    /// Runs twice: as root, and below as a user without rights.
    #[test]
    fn probing_finds_the_best_tier_and_says_what_is_missing() {
        let report = probe();
        assert!(
            report.missing_limits.is_empty(),
            "{:?}",
            report.missing_limits
        );
        if rustix::process::geteuid().is_root() {
            assert_eq!((report.tier, report.missing), (Some(Tier::Root), vec![]));
        } else {
            assert_eq!(report.tier, Some(Tier::Rootless));
            assert_eq!(report.missing, ["root: not started as root"]);
        }
    }
}

/// Says that `/proc/sys` cannot be written here.
const READ_ONLY: &str = "SANDBOX_TEST_READ_ONLY";

/// Runs twice: as it is, and below where `/proc/sys` cannot be written.
#[test]
fn missing_limits_are_found_by_trying() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let is_read_only = std::env::var_os(READ_ONLY).is_some();
    for tier in [Tier::Root, Tier::Rootless] {
        let missing = missing_limits(tier);
        assert_eq!(
            missing.len(),
            usize::from(is_read_only),
            "{tier:?}: {missing:?}"
        );
        let names_it = |limit: &String| limit.contains("`/proc/sys/user` cannot be written");
        assert!(missing.iter().all(names_it), "{missing:?}");
    }
}

#[test]
fn a_machine_where_no_limit_can_be_set_is_reported() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let line = "mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys && \
                exec \"$0\" --exact unprivileged::missing_limits_are_found_by_trying";
    let output = Command::new("unshare")
        .args(["--mount", "--propagation", "private", "--"])
        .args(["sh", "-c", line])
        .arg(std::env::current_exe().unwrap())
        .env(READ_ONLY, "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(text.contains("1 passed"), "{text}");
}

#[test]
fn the_rootless_tier_holds_for_a_user_without_rights() {
    if !rustix::process::geteuid().is_root() {
        // Then all other tests of it just ran as one.
        return;
    }
    let dir = tempfile::TempDir::new().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let program = dir.path().join("it");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let scratch = dir.path().join("tmp");
    fs::create_dir(&scratch).unwrap();
    fs::set_permissions(&scratch, fs::Permissions::from_mode(0o1777)).unwrap();
    let output = Command::new("setpriv")
        .args([
            "--reuid",
            OTHER_USER,
            "--regid",
            OTHER_USER,
            "--clear-groups",
            "--",
        ])
        .arg("timeout")
        .arg("100")
        .arg(&program)
        // Those that kill look at the whole machine, and would see each other's here.
        .args(["rootless::", "--skip", "killed::", "--test-threads", "2"])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("TMPDIR", &scratch)
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let passed = text.lines().filter(|line| line.ends_with("... ok")).count();
    assert!(passed >= 15, "{text}");
    let left: Vec<_> = fs::read_dir(&scratch).unwrap().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}
