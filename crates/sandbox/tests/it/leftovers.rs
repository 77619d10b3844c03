//! What is left of local sandboxes: nothing.

use std::{fs, path::Path, process::Command};

use sandbox::{ExecRequest, Handle, Liveness, ProcessSpec, Provider as _, SandboxId, local::Tier};

use crate::support::{Machine, bounded, spec};

pub(crate) fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Everything on this machine that has one of these ids in its name.
pub(crate) fn named(ids: &[SandboxId]) -> Vec<String> {
    let mut all = run("ip", &["netns", "list"]) + &run("ip", &["-o", "link"]);
    all += &run("nft", &["list", "tables"]);
    all += &run(
        "losetup",
        &["--list", "--noheadings", "--output", "BACK-FILE"],
    );
    all += &fs::read_to_string("/proc/self/mountinfo").unwrap();
    all += &run(
        "find",
        &[
            "/sys/fs/cgroup",
            "-name",
            "proliferate",
            "-exec",
            "find",
            "{}",
            "-type",
            "d",
            ";",
        ],
    );
    all += &run("find", &["/run/proliferate-sandbox"]);
    all += &run("grep", &["-r", ".", "/run/proliferate-sandbox/net"]);
    let mine = |line: &&str| ids.iter().any(|id| line.contains(id.as_str()));
    all.lines().filter(mine).map(str::to_owned).collect()
}

/// Processes that hold something of this directory: a mount, or their own place.
pub(crate) fn processes_of(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let mounts = fs::read_to_string(entry.path().join("mountinfo")).unwrap_or_default();
        let place = fs::read_link(entry.path().join("cwd")).unwrap_or_default();
        if mounts.contains(&directory.display().to_string()) || place.starts_with(directory) {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    found
}

#[tokio::test]
async fn a_hundred_sandboxes_leave_the_machine_as_it_was() {
    bounded(async {
        let machine = Machine::new(Tier::Root);
        let mut ids = Vec::new();
        // One by one and several at once.
        for _ in 0..10 {
            let makes = (0..10).map(|_| {
                let local = machine.local.clone();
                tokio::spawn(async move {
                    let handle = local.create(spec()).await.unwrap();
                    let result = local.exec(&handle, ExecRequest::new(["true"])).await;
                    assert!(result.unwrap().is_success());
                    local.destroy(&handle).await.unwrap();
                    handle.id
                })
            });
            for made in makes.collect::<Vec<_>>() {
                ids.push(made.await.unwrap());
            }
        }
        assert_eq!(ids.len(), 100);
        assert_eq!(named(&ids), Vec::<String>::new());
        let sandboxes = machine.dir.path().join("state/sandboxes");
        assert_eq!(fs::read_dir(sandboxes).unwrap().count(), 0);
        assert_eq!(processes_of(machine.dir.path()), Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn a_sandbox_that_cannot_be_made_leaves_nothing() {
    bounded(async {
        let machine = Machine::new(Tier::Root);
        let mut spec = spec();
        // Too small for a file system.
        spec.limits.disk_bytes = 1024;
        let refused = machine.local.create(spec).await;
        assert!(refused.is_err(), "{refused:?}");
        let sandboxes = machine.dir.path().join("state/sandboxes");
        assert_eq!(fs::read_dir(sandboxes).unwrap().count(), 0);
        assert_eq!(machine.local.list_sandboxes().await, Ok(vec![]));
    })
    .await;
}

fn first_process(machine: &Machine, handle: &Handle) -> String {
    let dir = machine.dir.path().join("state/sandboxes");
    let record = fs::read_to_string(dir.join(handle.id.as_str()).join("record.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    record["state"]["init"]["pid"].to_string()
}

/// Waits for a process in this state whose command line begins so.
async fn until_one_is(state: char, line: &str) {
    let is_it = |told: &str| {
        let (found, arguments) = told.split_once(' ').unwrap();
        found.starts_with(state) && arguments.trim_start().starts_with(line)
    };
    crate::conformance::until(|| async {
        let all = run("ps", &["-eo", "stat=,args="]);
        all.lines().any(is_it)
    })
    .await;
}

/// Stops every process inside except the first, as a snapshot does whose gateway is then killed.
fn stop_inside(init: &str) {
    let namespace = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/pid")).ok();
    let inside = namespace(init).unwrap();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let pid = entry.file_name().to_string_lossy().into_owned();
        if pid != init && namespace(&pid).as_ref() == Some(&inside) {
            run("kill", &["-STOP", &pid]);
        }
    }
}

/// The gateway that removes it may have been killed when only the first process had ended.
#[tokio::test]
async fn a_stopped_sandbox_whose_removal_was_cut_off_is_removed() {
    bounded(async {
        let machine = Machine::new(Tier::Rootless);
        let handle = machine.create().await;
        let init = first_process(&machine, &handle);
        let program = ProcessSpec::new("waits", ["sleep", &format!("1000.{init}")]);
        machine.local.start(&handle, program).await.unwrap();
        until_one_is('S', &format!("sleep 1000.{init}")).await;
        stop_inside(&init);
        // The process outside that waits for the program notices the stop.
        until_one_is('T', &format!("nsenter --target {init} ")).await;
        run("kill", &["-9", &init]);
        machine.local.destroy(&handle).await.unwrap();
        assert_eq!(processes_of(machine.dir.path()), Vec::<String>::new());
    })
    .await;
}

/// The only copy of a user's work is not removed because its sandbox died.
#[tokio::test]
async fn the_disk_of_a_dead_sandbox_is_kept_until_it_is_removed() {
    bounded(async {
        for tier in [Tier::Root, Tier::Rootless] {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            machine.output(&handle, "echo precious > workspace/a").await;
            run("kill", &["-9", &first_process(&machine, &handle)]);
            crate::conformance::until(|| async {
                machine.local.liveness(&handle).await == Liveness::Dead
            })
            .await;
            let cleaned = machine.local.clean(|_| false).await.unwrap();
            assert_eq!(cleaned.disks_kept, std::slice::from_ref(&handle.id));
            if tier == Tier::Root {
                assert_eq!(
                    named(std::slice::from_ref(&handle.id)),
                    Vec::<String>::new()
                );
            }
            let sandboxes = machine.dir.path().join("state/sandboxes");
            let own = sandboxes.join(handle.id.as_str());
            match tier {
                Tier::Root => assert!(own.join("disk.img").is_file()),
                Tier::Rootless => {
                    let kept = fs::read_to_string(own.join("run/disk/upper/workspace/a"));
                    assert_eq!(kept.unwrap(), "precious\n");
                }
            }
            let cleaned = machine.local.clean(|_| true).await.unwrap();
            assert_eq!(cleaned.sandboxes, [handle.id]);
            assert_eq!(fs::read_dir(sandboxes).unwrap().count(), 0);
        }
    })
    .await;
}

/// Names in the kernel whose record is gone are found by their form.
#[tokio::test]
async fn strays_without_a_record_are_removed() {
    bounded(async {
        let machine = Machine::new(Tier::Root);
        let handle = machine.create().await;
        let dir = machine
            .dir
            .path()
            .join("state/sandboxes")
            .join(handle.id.as_str());
        fs::remove_dir_all(dir).unwrap();
        assert!(!named(std::slice::from_ref(&handle.id)).is_empty());
        let cleaned = machine.local.clean(|_| false).await.unwrap();
        assert!(cleaned.sandboxes.contains(&handle.id), "{cleaned:?}");
        assert_eq!(named(&[handle.id]), Vec::<String>::new());
    })
    .await;
}
