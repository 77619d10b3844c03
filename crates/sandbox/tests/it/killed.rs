//! Processes that are killed and callers that give up: what they made goes on, and what they did not finish goes.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use sandbox::{
    ExecRequest, Handle, Liveness, Origin, ProcessSpec, SandboxId, SnapshotRequest, Spec,
};

use crate::{
    conformance::until,
    support::{bounded, bounded_with_engine, spec},
    yard::{Kind, Maker, Yard},
};

/// Says what the other process of a test is to do, and where.
const ROLE: &str = "SANDBOX_TEST_ROLE";
const DIRECTORY: &str = "SANDBOX_TEST_DIRECTORY";

/// A test of each case on each kind of sandbox.
macro_rules! on_each {
    ($($case:ident)+) => {
        mod root {$(
            #[tokio::test]
            async fn $case() {
                super::bounded(super::$case(super::Kind::Root)).await;
            }
        )+}

        mod rootless {$(
            #[tokio::test]
            async fn $case() {
                super::bounded(super::$case(super::Kind::Rootless)).await;
            }
        )+}

        mod podman {$(
            #[tokio::test]
            async fn $case() {
                super::bounded_with_engine(super::$case(super::Kind::Podman)).await;
            }
        )+}
    };
}

on_each! {
    an_abandoned_sandbox_is_removed
    an_abandoned_snapshot_stops_nothing
    a_sandbox_outlives_its_provider_and_is_taken_over
    a_killed_process_leaves_no_half_snapshot_and_nothing_to_stay
    a_concurrent_cleanup_removes_nothing_in_use
}

fn from(snapshot: sandbox::SnapshotRef) -> Spec {
    Spec {
        origin: Origin::Snapshot(snapshot),
        ..spec()
    }
}

/// A caller that gives up, at moments that are spread over all of it.
async fn an_abandoned_sandbox_is_removed(kind: Kind) {
    let yard = Yard::open(kind).await;
    let maker = yard.again().await;
    // A container takes ten times as long.
    let (times, apart) = match kind {
        Kind::Podman => (8, 100),
        Kind::Root | Kind::Rootless => (20, 5),
    };
    let mut ids = Vec::new();
    for pause in 0..times {
        let wait = Duration::from_millis(pause * apart);
        let provider = maker.provider();
        let making = provider.create(spec());
        if let Ok(made) = tokio::time::timeout(wait, making).await {
            let made = made.unwrap();
            provider.destroy(&made).await.unwrap();
            ids.push(made.id);
        }
    }
    until(|| async { maker.found().await.is_empty() }).await;
    yard.until_it_is_empty().await;
    until(|| async { yard.traces(&ids).is_empty() }).await;
}

/// A snapshot whose caller does not wait leaves a running sandbox.
async fn an_abandoned_snapshot_stops_nothing(kind: Kind) {
    let yard = Yard::open(kind).await;
    let maker = yard.again().await;
    let provider = maker.provider();
    let handle = provider.create(spec()).await.unwrap();
    let fill = "head -c 30M /dev/urandom > workspace/a";
    maker.output(&handle, fill).await;
    let (times, apart) = match kind {
        Kind::Podman => (5, 150),
        Kind::Root | Kind::Rootless => (12, 8),
    };
    for pause in 0..times {
        let wait = Duration::from_millis(pause * apart);
        let taking = provider.snapshot(&handle, SnapshotRequest::default());
        let _ = tokio::time::timeout(wait, taking).await;
        assert_eq!(maker.output(&handle, "echo on").await, "on\n");
    }
    provider.destroy(&handle).await.unwrap();
    yard.until_it_is_empty().await;
    until(|| async { yard.traces(std::slice::from_ref(&handle.id)).is_empty() }).await;
    for id in yard.snapshots() {
        maker.verify(&id).await;
    }
}

/// Not a test of its own: what the other process of a test does.
#[tokio::test]
async fn role() {
    let (Ok(role), Ok(directory)) = (std::env::var(ROLE), std::env::var(DIRECTORY)) else {
        return;
    };
    let (kind, what) = role.split_once('-').unwrap();
    let kind = Kind::named(kind).unwrap();
    let maker = Maker::open(kind, Path::new(&directory)).await;
    let provider = maker.provider();
    println!("ROLE begins");
    let handle = provider.create(spec()).await.unwrap();
    println!("ROLE {}", serde_json::to_string(&handle).unwrap());
    let fill = "head -c 30M /dev/urandom > workspace/data; mkdir workspace/d; \
                for i in $(seq 500); do echo $i > workspace/d/$i; done";
    let filled = provider.exec(&handle, ExecRequest::shell(fill)).await;
    assert!(filled.unwrap().is_success());
    let tick = "i=0; while :; do i=$((i+1)); echo $i; sleep 0.02; done";
    let ticker = ProcessSpec::new("tick", ["/bin/sh", "-c", tick]);
    provider.start(&handle, ticker).await.unwrap();
    println!("ROLE filled");
    if what == "snapshots" {
        loop {
            let taken = provider.snapshot(&handle, SnapshotRequest::default()).await;
            let taken = taken.unwrap();
            println!("ROLE {}", taken.id);
            let restored = provider.create(from(taken)).await.unwrap();
            println!("ROLE restored");
            provider.destroy(&restored).await.unwrap();
            println!("ROLE destroyed");
        }
    }
    tokio::time::sleep(Duration::from_mins(2)).await;
}

/// This program again, in a role; killed when the test ends.
struct Other {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Other {
    fn start(role: &str, yard: &Yard) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "killed::role", "--nocapture"])
            .env(ROLE, format!("{}-{role}", yard.kind().as_str()))
            .env(DIRECTORY, yard.directory())
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

async fn a_sandbox_outlives_its_provider_and_is_taken_over(kind: Kind) {
    let yard = Yard::open(kind).await;
    let mut other = Other::start("waits", &yard);
    assert_eq!(other.says(), "begins");
    let handle: Handle = serde_json::from_str(&other.says()).unwrap();
    assert_eq!(other.says(), "filled");
    other.kill();
    let maker = yard.again().await;
    let provider = maker.provider();
    assert_eq!(provider.liveness(&handle).await, Liveness::Alive);
    // Cleaning up does not touch what lives. What died elsewhere on the machine is cleaned with it.
    let cleaned = maker.clean(false).await;
    assert!(!cleaned.contains(&handle.id), "{cleaned:?}");
    provider.reattach(&handle).await.unwrap();
    let size = maker.output(&handle, "stat -c %s workspace/data").await;
    assert_eq!(size, "31457280\n");
    let before = provider.log(&handle, "tick", 0).await.unwrap().next;
    until(|| async { provider.log(&handle, "tick", 0).await.unwrap().next > before }).await;
    provider.stop(&handle, "tick").await.unwrap();
    let taken = provider.snapshot(&handle, SnapshotRequest::default()).await;
    maker.verify(&taken.unwrap().id).await;
    provider.destroy(&handle).await.unwrap();
    assert_eq!(provider.liveness(&handle).await, Liveness::Dead);
    yard.until_it_is_empty().await;
    assert_eq!(yard.traces(&[handle.id]), Vec::<String>::new());
}

/// Killed at moments that are spread over everything it does.
async fn a_killed_process_leaves_no_half_snapshot_and_nothing_to_stay(kind: Kind) {
    let yard = Yard::open(kind).await;
    // Up to as long as a round of all it does takes.
    let (rounds, apart) = match kind {
        Kind::Root => (16_u64, 43),
        Kind::Rootless => (8, 43),
        Kind::Podman => (10, 700),
    };
    let mut continued = 0;
    let mut all = Vec::new();
    for round in 0..rounds {
        let mut other = Other::start("snapshots", &yard);
        assert_eq!(other.says(), "begins");
        if round % 2 == 1 {
            while other.says() != "filled" {}
        }
        tokio::time::sleep(Duration::from_millis(round / 2 * apart)).await;
        other.kill();
        let maker = yard.again().await;
        let before = maker.found().await;
        let ids: Vec<SandboxId> = before.iter().map(|(handle, _)| handle.id.clone()).collect();
        // A sandbox that was stopped for a snapshot goes on when it is taken over.
        let living = before
            .iter()
            .filter(|(_, liveness)| *liveness == Liveness::Alive);
        for (handle, _) in living {
            maker.provider().reattach(handle).await.unwrap();
            assert_eq!(maker.output(handle, "echo on").await, "on\n");
            continued += 1;
        }
        maker.clean(true).await;
        assert_eq!(maker.found().await, []);
        yard.until_it_is_empty().await;
        assert_eq!(yard.traces(&ids), Vec::<String>::new());
        for id in yard.snapshots() {
            maker.verify(&id).await;
        }
        maker.provider().collect_snapshots(&[]).await.unwrap();
        assert_eq!(yard.snapshots(), []);
        all.extend(ids);
    }
    assert!(continued > 0);
    // Nor does something come up later, made by a program that was under way.
    yard.until_it_is_empty().await;
    assert_eq!(yard.traces(&all), Vec::<String>::new());
}

/// Killed at moments that are spread over the making of the first process and what holds it.
#[tokio::test]
async fn a_process_that_was_creating_a_sandbox_leaves_no_process() {
    for kind in [Kind::Root, Kind::Rootless] {
        bounded(killed_while_it_makes(kind)).await;
    }
}

async fn killed_while_it_makes(kind: Kind) {
    let yard = Yard::open(kind).await;
    // What is made once for all of them.
    let maker = yard.again().await;
    let first = maker.provider().create(spec()).await.unwrap();
    maker.provider().destroy(&first).await.unwrap();
    for pause in 0..30 {
        let mut other = Other::start("waits", &yard);
        assert_eq!(other.says(), "begins");
        tokio::time::sleep(Duration::from_millis(pause * 2)).await;
        other.kill();
    }
    maker.clean(true).await;
    assert_eq!(maker.found().await, []);
    yard.until_it_is_empty().await;
}

/// A cleanup while others work does not take their sandboxes for abandoned ones.
async fn a_concurrent_cleanup_removes_nothing_in_use(kind: Kind) {
    let yard = Yard::open(kind).await;
    let (maker, cleaner) = (yard.again().await, yard.again().await);
    let cleaning = tokio::spawn(async move {
        loop {
            cleaner.clean(false).await;
            // Without others to wait for it never lets them have their turn.
            tokio::task::yield_now().await;
        }
    });
    let provider = maker.provider();
    let times = if kind == Kind::Podman { 3 } else { 10 };
    for _ in 0..times {
        let handle = provider.create(spec()).await.unwrap();
        assert_eq!(maker.output(&handle, "echo here").await, "here\n");
        if kind == Kind::Podman {
            let taken = provider.snapshot(&handle, SnapshotRequest::default()).await;
            maker.verify(&taken.unwrap().id).await;
        }
        provider.destroy(&handle).await.unwrap();
    }
    assert!(!cleaning.is_finished());
    cleaning.abort();
}

#[tokio::test]
async fn a_sandbox_that_is_removed_while_it_is_made_leaves_nothing() {
    for kind in [Kind::Root, Kind::Rootless] {
        bounded(removed_while_it_is_made(kind)).await;
    }
}

/// At any point of a concurrent removal of everything.
async fn removed_while_it_is_made(kind: Kind) {
    let yard = Yard::open(kind).await;
    let (maker, remover) = (yard.again().await, yard.again().await);
    let removing = tokio::spawn(async move {
        loop {
            remover.clean(true).await;
            tokio::task::yield_now().await;
        }
    });
    let mut ids = Vec::new();
    for _ in 0..30 {
        // Either is right.
        if let Ok(handle) = maker.provider().create(spec()).await {
            ids.push(handle.id);
        }
    }
    assert!(!removing.is_finished());
    removing.abort();
    maker.clean(true).await;
    yard.until_it_is_empty().await;
    until(|| async { yard.traces(&ids).is_empty() }).await;
}
