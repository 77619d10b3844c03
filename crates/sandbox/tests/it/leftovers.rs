//! What is left: nothing, after a sandbox and after a process that was killed.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use sandbox::{
    ExecRequest, Handle, Liveness, ProcessSpec, Provider as _, SandboxId, SnapshotRequest,
    local::{Local, Tier},
};

use crate::support::{Machine, bounded, entropy, spec};

/// Says what the other process of a test is to do, and where.
const ROLE: &str = "SANDBOX_TEST_ROLE";
const DIRECTORY: &str = "SANDBOX_TEST_DIRECTORY";

fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Everything on this machine that has one of these ids in its name.
fn named(ids: &[SandboxId]) -> Vec<String> {
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

/// Processes that hold something of this directory or these sandboxes.
fn processes_of(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let mounts = fs::read_to_string(entry.path().join("mountinfo")).unwrap_or_default();
        if mounts.contains(&directory.display().to_string()) {
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
        assert_eq!(machine.local.found(), []);
    })
    .await;
}

/// A caller that gives up, at moments that are spread over all of it.
#[tokio::test]
async fn a_sandbox_nobody_waits_for_is_removed() {
    bounded(async {
        for tier in [Tier::Root, Tier::Rootless] {
            let machine = Machine::new(tier);
            for pause in 0..20 {
                let wait = Duration::from_millis(pause * 5);
                let making = machine.local.create(spec());
                if let Ok(made) = tokio::time::timeout(wait, making).await {
                    machine.local.destroy(&made.unwrap()).await.unwrap();
                }
            }
            crate::conformance::until(|| async { machine.local.found().is_empty() }).await;
            crate::conformance::until(|| async { processes_of(machine.dir.path()).is_empty() })
                .await;
        }
    })
    .await;
}

/// The only copy of somebody's work is not thrown away because its sandbox died.
#[tokio::test]
async fn the_disk_of_a_dead_sandbox_is_kept_and_can_be_restored() {
    bounded(async {
        for tier in [Tier::Root, Tier::Rootless] {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            machine
                .output(&handle, "echo precious > workspace/a; mkdir workspace/d")
                .await;
            let refused = machine.local.salvage(&handle).await;
            assert!(
                matches!(refused, Err(sandbox::Error::Invalid { .. })),
                "{refused:?}"
            );
            let dir = machine
                .dir
                .path()
                .join("state/sandboxes")
                .join(handle.id.as_str());
            let record = fs::read_to_string(dir.join("record.json")).unwrap();
            let record: serde_json::Value = serde_json::from_str(&record).unwrap();
            let init = record["state"]["init"]["pid"].to_string();
            run("kill", &["-9", &init]);
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
            let taken = machine.local.salvage(&handle).await.unwrap();
            machine.local.destroy(&handle).await.unwrap();
            assert_eq!(machine.local.found(), []);
            let restored = sandbox::Spec {
                origin: sandbox::Origin::Snapshot(taken),
                ..spec()
            };
            let restored = machine.local.create(restored).await.unwrap();
            assert_eq!(
                machine.output(&restored, "cat workspace/a").await,
                "precious\n"
            );
        }
    })
    .await;
}

/// Not a test of its own: what the other process of a test does.
#[tokio::test]
async fn role() {
    let (Ok(role), Ok(directory)) = (std::env::var(ROLE), std::env::var(DIRECTORY)) else {
        return;
    };
    let tier = if role.starts_with("rootless") {
        Tier::Rootless
    } else {
        Tier::Root
    };
    let local = Local::open(Path::new(&directory), tier, entropy()).unwrap();
    println!("ROLE begins");
    let handle = local.create(spec()).await.unwrap();
    println!("ROLE {}", serde_json::to_string(&handle).unwrap());
    let fill = "head -c 30M /dev/urandom > workspace/data; mkdir workspace/d; \
                for i in $(seq 500); do echo $i > workspace/d/$i; done";
    local.exec(&handle, ExecRequest::shell(fill)).await.unwrap();
    let tick = "i=0; while :; do i=$((i+1)); echo $i; sleep 0.02; done";
    let ticker = ProcessSpec::new("tick", ["/bin/sh", "-c", tick]);
    local.start(&handle, ticker).await.unwrap();
    println!("ROLE filled");
    while role.ends_with("snapshots") {
        let taken = local
            .snapshot(&handle, SnapshotRequest::default())
            .await
            .unwrap();
        println!("ROLE {}", taken.id);
        let restored = sandbox::Spec {
            origin: sandbox::Origin::Snapshot(taken),
            ..spec()
        };
        let restored = local.create(restored).await.unwrap();
        println!("ROLE restored");
        local.destroy(&restored).await.unwrap();
        println!("ROLE destroyed");
    }
    tokio::time::sleep(Duration::from_mins(2)).await;
}

/// This program again, in a role; killed when the test ends.
struct Other {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Other {
    fn start(role: &str, directory: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "leftovers::role", "--nocapture"])
            .env(ROLE, role)
            .env(DIRECTORY, directory)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// The next thing it says.
    fn says(&mut self) -> String {
        loop {
            let line = self
                .lines
                .next()
                .expect("the other process goes on")
                .unwrap();
            if let Some((_, said)) = line.split_once("ROLE ") {
                return said.to_owned();
            }
        }
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn a_sandbox_outlives_its_provider_and_is_taken_over() {
    bounded(async {
        for (tier, role) in [(Tier::Root, "root"), (Tier::Rootless, "rootless")] {
            let machine = Machine::new(tier);
            let mut other = Other::start(role, &machine.dir.path().join("state"));
            assert_eq!(other.says(), "begins");
            let handle: Handle = serde_json::from_str(&other.says()).unwrap();
            assert_eq!(other.says(), "filled");
            other.kill();
            let local = machine.again();
            assert_eq!(local.liveness(&handle).await, Liveness::Alive);
            // Cleaning up does not touch what lives. What died elsewhere on the machine is cleaned with it.
            let cleaned = local.clean(|_| false).await.unwrap();
            assert!(!cleaned.sandboxes.contains(&handle.id), "{cleaned:?}");
            local.reattach(&handle).await.unwrap();
            let size = machine.output(&handle, "stat -c %s workspace/data").await;
            assert_eq!(size, "31457280\n");
            let before = local.log(&handle, "tick", 0).await.unwrap().next;
            crate::conformance::until(|| async {
                local.log(&handle, "tick", 0).await.unwrap().next > before
            })
            .await;
            local.stop(&handle, "tick").await.unwrap();
            let taken = local
                .snapshot(&handle, SnapshotRequest::default())
                .await
                .unwrap();
            local.verify(&taken.id).await.unwrap();
            local.destroy(&handle).await.unwrap();
            assert_eq!(local.liveness(&handle).await, Liveness::Dead);
            if tier == Tier::Root {
                assert_eq!(named(&[handle.id]), Vec::<String>::new());
            }
        }
    })
    .await;
}

/// Killed at moments that are spread over everything it does.
#[tokio::test]
async fn a_killed_process_leaves_no_half_snapshot_and_nothing_to_stay() {
    bounded(async {
        for (tier, role, rounds) in [
            (Tier::Root, "root-snapshots", 16_u64),
            (Tier::Rootless, "rootless-snapshots", 8),
        ] {
            let machine = Machine::new(tier);
            let directory = machine.dir.path().join("state");
            let mut frozen = 0;
            let mut all = Vec::new();
            for round in 0..rounds {
                let mut other = Other::start(role, &directory);
                assert_eq!(other.says(), "begins");
                if round % 2 == 1 {
                    while other.says() != "filled" {}
                }
                // Up to a third of a second: a round of all it does takes about as long.
                tokio::time::sleep(Duration::from_millis(round / 2 * 43)).await;
                other.kill();
                let local = machine.again();
                let before = local.found();
                let ids: Vec<SandboxId> = before.iter().map(|one| one.id.clone()).collect();
                // A sandbox that was stopped for a snapshot goes on when it is taken over.
                for found in before
                    .iter()
                    .filter(|found| found.liveness == Liveness::Alive)
                {
                    let handle = Handle {
                        provider: "local".into(),
                        id: found.id.clone(),
                        incarnation: spec().incarnation,
                        expires_at: None,
                        tier: tier.as_str().into(),
                    };
                    local.reattach(&handle).await.unwrap();
                    assert_eq!(machine.output(&handle, "echo on").await, "on\n");
                    frozen += 1;
                }
                local.clean(|_| true).await.unwrap();
                assert_eq!(local.found(), []);
                assert_eq!(named(&ids), Vec::<String>::new());
                let temporary = directory.join("store/tmp");
                assert_eq!(fs::read_dir(temporary).unwrap().count(), 0);
                for entry in fs::read_dir(directory.join("store/snapshots")).unwrap() {
                    let name = entry.unwrap().file_name().to_string_lossy().into_owned();
                    let id = name.strip_suffix(".json").unwrap().parse().unwrap();
                    local.verify(&id).await.unwrap();
                }
                local.collect(&[]).await.unwrap();
                all.extend(ids);
            }
            assert!(frozen > 0);
            // Nor does something come up later, made by a program that was under way.
            assert_eq!(named(&all), Vec::<String>::new());
            assert_eq!(processes_of(&directory), Vec::<String>::new());
        }
    })
    .await;
}

/// Whoever cleans up while others work does not take what they make for something that was left.
#[tokio::test]
async fn cleaning_up_meanwhile_harms_nobody() {
    bounded(async {
        for tier in [Tier::Root, Tier::Rootless] {
            let machine = Machine::new(tier);
            let cleaner = machine.again();
            let cleaning = tokio::spawn(async move {
                loop {
                    cleaner.clean(|_| false).await.unwrap();
                    // Without others to wait for it never lets them have their turn.
                    tokio::task::yield_now().await;
                }
            });
            for _ in 0..10 {
                let handle = machine.create().await;
                assert_eq!(machine.output(&handle, "echo here").await, "here\n");
                machine.local.destroy(&handle).await.unwrap();
            }
            assert!(!cleaning.is_finished());
            cleaning.abort();
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
