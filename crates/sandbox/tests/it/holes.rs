//! Snapshots of files that say to be larger than they are, and of more than is taken.

use std::{
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use domain::caller::Incarnation;
use sandbox::{
    Error, Handle, Origin, Provider, Retry, SnapshotRef, SnapshotRequest, Spec, local::Tier,
};

use crate::{
    conformance::until,
    engine::Engine,
    support::{Machine, bounded, bounded_with_engine, entropy, spec},
};

const TIERS: [Tier; 2] = [Tier::Root, Tier::Rootless];
/// Reading the zeros of such a file takes minutes.
const SOON: Duration = Duration::from_secs(30);
const HUGE: &str = "cd workspace && truncate -s 150G huge && printf one | dd of=huge bs=1 seek=100G conv=notrunc status=none";

fn from(snapshot: &SnapshotRef) -> Spec {
    Spec {
        origin: Origin::Snapshot(snapshot.clone()),
        incarnation: Incarnation(2),
        ..spec()
    }
}

async fn soon(provider: &dyn Provider, handle: &Handle) -> sandbox::Result<SnapshotRef> {
    let taken = provider.snapshot(handle, SnapshotRequest::default());
    let taken = tokio::time::timeout(SOON, taken).await;
    taken.expect("a snapshot takes as long as what is in it")
}

/// Copies that are not finished.
fn unfinished(machine: &Machine) -> usize {
    let scratch = machine.dir.path().join("state/store/tmp");
    fs::read_dir(scratch).unwrap().count()
}

fn found(dir: &Path, name: &str) -> Option<PathBuf> {
    fs::read_dir(dir).unwrap().flatten().find_map(|entry| {
        let path = entry.path();
        if path.is_dir() {
            found(&path, name)
        } else {
            (entry.file_name() == name).then_some(path)
        }
    })
}

#[tokio::test]
async fn a_file_of_holes_is_saved_and_restored_as_what_it_is() {
    bounded(async {
        for tier in TIERS {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            machine.output(&handle, HUGE).await;
            let taken = soon(&machine.local, &handle).await.unwrap();
            assert!(taken.size < 1024 * 1024, "{tier:?}: {}", taken.size);
            let layers = machine.dir.path().join("state/store/layers");
            let stored = found(&layers, "huge").unwrap().metadata().unwrap();
            assert_eq!(stored.len(), 150 << 30);
            assert!(stored.blocks() * 512 < 1024 * 1024, "{}", stored.blocks());
            machine.local.verify(&taken.id).await.unwrap();
            let restored = machine.local.create(from(&taken)).await.unwrap();
            let line = "cd workspace && stat -c %s huge && dd if=huge bs=1 skip=100G count=3 status=none && \
                        du -k huge | cut -f1";
            let text = machine.output(&restored, line).await;
            let (head, kilobytes) = text.split_once("one").unwrap();
            assert_eq!(head.trim(), (150_u64 << 30).to_string());
            assert!(kilobytes.trim().parse::<u64>().unwrap() < 1024, "{text}");
            // A layer that is made of several is read again too.
            assert_eq!(unfinished(&machine), 0);
        }
    })
    .await;
}

#[tokio::test]
async fn more_than_a_snapshot_takes_is_refused_with_a_sentence_and_the_sandbox_goes_on() {
    bounded(async {
        for tier in TIERS {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            machine.output(&handle, "truncate -s 600G workspace/a workspace/b").await;
            let refused = soon(&machine.local, &handle).await.unwrap_err();
            assert_eq!(
                refused.to_string(),
                "the home directory has more than 1099511627776 bytes in its files, holes included; remove what is not \
                 needed and try again"
            );
            assert_eq!(refused.retry(), Retry::Never);
            assert_eq!(unfinished(&machine), 0);
            assert_eq!(machine.output(&handle, "rm workspace/b && echo on").await, "on\n");
            soon(&machine.local, &handle).await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn a_cancelled_snapshot_leaves_nothing_and_the_sandbox_goes_on() {
    bounded(async {
        for tier in TIERS {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            machine
                .output(&handle, "head -c 300M /dev/urandom > workspace/much")
                .await;
            let (local, of) = (machine.local.clone(), handle.clone());
            let taking =
                tokio::spawn(async move { local.snapshot(&of, SnapshotRequest::default()).await });
            until(|| async { unfinished(&machine) > 0 }).await;
            taking.abort();
            until(|| async { unfinished(&machine) == 0 }).await;
            assert_eq!(machine.output(&handle, "echo on").await, "on\n");
        }
    })
    .await;
}

#[tokio::test]
async fn a_container_whose_changes_would_fill_the_disk_is_not_saved_and_goes_on_podman() {
    bounded_with_engine(async {
        let engine = Engine::open(entropy()).await;
        let container = &engine.container;
        let handle = container.create(spec()).await.unwrap();
        let run = async |line: &str| {
            let request = sandbox::ExecRequest::shell(line);
            let result = container.exec(&handle, request).await.unwrap();
            assert!(result.is_success(), "{line}: {}", result.stderr.text());
            result.stdout.text()
        };
        run(HUGE).await;
        let refused = soon(container, &handle).await.unwrap_err();
        assert!(matches!(refused, Error::Invalid { .. }), "{refused}");
        let text = refused.to_string();
        assert!(text.contains("holes in files included"), "{text}");
        assert!(text.contains("remove what is not needed"), "{text}");
        assert_eq!(run("rm workspace/huge && echo on").await, "on\n");
        container
            .snapshot(&handle, SnapshotRequest::default())
            .await
            .unwrap();
        assert_eq!(run("echo on").await, "on\n");
        container.destroy(&handle).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_cancelled_snapshot_of_a_container_becomes_none_and_it_goes_on_podman() {
    bounded_with_engine(async {
        let engine = Engine::open(entropy()).await;
        let container = &engine.container;
        let handle = container.create(spec()).await.unwrap();
        let run = async |line: &str| {
            let request = sandbox::ExecRequest::shell(line);
            container.exec(&handle, request).await.unwrap()
        };
        run("head -c 400M /dev/urandom > workspace/much").await;
        let images = |of: &str| engine.podman(&["images", "--quiet", of]);
        let (drafts, snapshots) = (
            "localhost/proliferate-draft",
            "localhost/proliferate-snapshot",
        );
        let notes = || {
            let entries = fs::read_dir(engine.directory().join("sandboxes")).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name());
            let names = names.map(|name| name.to_string_lossy().into_owned());
            names.filter(|name| name.contains("draft")).count()
        };
        // While the engine makes the image, and while it is read back.
        for begun in ["made", "read back"] {
            let (container, of) = (container.clone(), handle.clone());
            let request = SnapshotRequest {
                before: None,
                after: Some(sandbox::ExecRequest::shell("echo after >> workspace/log")),
            };
            let taking = tokio::spawn(async move { container.snapshot(&of, request).await });
            until(async || notes() > 0 && (begun == "made" || !images(drafts).is_empty())).await;
            taking.abort();
            until(async || notes() == 0).await;
            assert_eq!((images(drafts), images(snapshots)), Default::default());
        }
        let log = run("cat workspace/log").await;
        assert_eq!(log.stdout.text(), "after\nafter\n");
        container.destroy(&handle).await.unwrap();
    })
    .await;
}
