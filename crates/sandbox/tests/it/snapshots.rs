//! Snapshots: what is in them, and what never looks like one.

use std::{fs, os::unix::fs::MetadataExt as _, path::PathBuf};

use domain::{caller::Incarnation, limits::SANDBOX_LAYERS_MAX};
use sandbox::{
    Error, Handle, HomePath, Origin, ProcessSpec, Provider as _, SnapshotRef, SnapshotRequest,
    Spec, TemplateEntry, local::Tier,
};

use crate::{
    conformance::until,
    engine::Engine,
    support::{Machine, bounded, entropy, spec},
    yard::Maker,
};

const TIERS: [Tier; 2] = [Tier::Root, Tier::Rootless];

async fn snapshot(machine: &Machine, handle: &Handle) -> SnapshotRef {
    let taken = machine.local.snapshot(handle, SnapshotRequest::default());
    taken.await.unwrap()
}

fn from(snapshot: &SnapshotRef) -> Spec {
    Spec {
        origin: Origin::Snapshot(snapshot.clone()),
        incarnation: Incarnation(2),
        ..spec()
    }
}

fn state(machine: &Machine) -> PathBuf {
    machine.dir.path().join("state/store")
}

/// The first file of a directory tree that holds something.
fn some_file(dir: PathBuf) -> Option<PathBuf> {
    for entry in fs::read_dir(dir).unwrap().flatten() {
        let meta = entry.metadata().unwrap();
        if meta.is_file() && meta.len() > 0 {
            return Some(entry.path());
        }
        if meta.is_dir()
            && let Some(found) = some_file(entry.path())
        {
            return Some(found);
        }
    }
    None
}

#[tokio::test]
async fn a_snapshot_under_load_has_all_that_was_finished() {
    bounded(async {
        for tier in TIERS {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            let write = "cd workspace; i=0; while :; do i=$((i+1)); head -c 20000 /dev/urandom > f$i; \
                         sha256sum f$i >> sums; echo $i > /tmp/count; done";
            let writer = ProcessSpec::new("writer", ["/bin/sh", "-c", write]);
            machine.local.start(&handle, writer).await.unwrap();
            let count = || async {
                let text = machine.output(&handle, "cat /tmp/count 2>/dev/null || echo 0").await;
                text.trim().parse::<u64>().unwrap_or(0)
            };
            let mut taken = Vec::new();
            for _ in 0..3 {
                let before = count().await;
                until(|| async { count().await > before + 20 }).await;
                taken.push((count().await, snapshot(&machine, &handle).await));
            }
            // It went on meanwhile.
            let before = count().await;
            until(|| async { count().await > before }).await;
            for (at_least, taken) in taken {
                machine.local.verify(&taken.id).await.unwrap();
                let restored = machine.local.create(from(&taken)).await.unwrap();
                let line = "cd workspace && sha256sum --quiet -c sums && wc -l < sums";
                let text = machine.output(&restored, line).await;
                assert!(text.trim().parse::<u64>().unwrap() >= at_least, "{text}");
                let alone = machine.output(&restored, "ls /tmp; ps ax | grep -c '[s]ha256'; true");
                assert_eq!(alone.await, "0\n");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn everything_a_file_can_be_is_kept() {
    bounded(async {
        for tier in TIERS {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            let make = "cd workspace; mkdir -p a/b; echo x > a/file; chmod 640 a/file; ln a/file a/hard; \
                        ln -s /nowhere a/link; mkfifo a/pipe; chmod 2750 a/b; mkdir closed; echo y > closed/f; \
                        chmod 0 closed/f; chmod 0 closed; truncate -s 50M sparse; echo end >> sparse; \
                        touch -d '2020-02-02 02:02:02' a/file; echo n > \"$(printf 'odd\\nname')\"; \
                        setfattr -n user.note -v hello a/file 2>/dev/null; mkdir empty";
            machine.output(&handle, make).await;
            let look = "cd workspace; chmod 700 closed; find . -path './closed*' -prune -o -print0 | sort -z | \
                        xargs -0 stat -c '%N %A %U %h %s' | \
                        sed -E '/ d[rwxst-]{9} /s/ [0-9]+$//'; stat -c %y a/file; md5sum sparse; \
                        stat -c '%A' closed/f; cat a/hard";
            let taken = snapshot(&machine, &handle).await;
            let expected = machine.output(&handle, look).await;
            let restored = machine.local.create(from(&taken)).await.unwrap();
            let mode = machine.output(&restored, "stat -c %a workspace/closed").await;
            assert_eq!(mode, "0\n");
            assert_eq!(machine.output(&restored, look).await, expected);
            assert!(expected.contains("2020-02-02"), "{expected}");
            // Holes stay holes.
            let file = state(&machine).join("layers");
            let layer = fs::read_dir(file).unwrap().next().unwrap().unwrap().path();
            let sparse = layer.join("tree/workspace/sparse").metadata().unwrap();
            assert!(sparse.blocks() * 512 < 2_000_000, "{}", sparse.blocks());
        }
    })
    .await;
}

/// What is done to a home directory, snapshot by snapshot.
const STEPS: [&str; 11] = [
    "echo 1 > a; mkdir d; echo 1 > d/x; echo 1 > d/y; echo t > turns",
    "rm -r d; mkdir d; echo 2 > d/z",
    "rm base/old; echo 3 > a",
    "rm -r base/sub; mkdir base/sub; echo 4 > base/sub/new",
    "rm turns; mkdir turns; echo 5 > turns/in",
    "rm -r turns; echo 6 > turns",
    "mv d e; chmod 700 e",
    "echo 8 > base/old",
    "ln -s a link; echo 9 > a",
    "rm base/old; echo ten > ten; ln ten eleven",
    "rm ten",
];

/// `at_once`: steps before each snapshot. A chain has no more layers than `max`.
async fn a_long_chain_is_merged_and_means_the_same(maker: &Maker, at_once: usize, max: u32) {
    let provider = maker.provider();
    let template = tempfile::TempDir::new().unwrap();
    fs::create_dir_all(template.path().join("sub")).unwrap();
    fs::write(template.path().join("old"), "template").unwrap();
    fs::write(template.path().join("sub/deep"), "template").unwrap();
    let entry = TemplateEntry {
        source: template.path().to_owned(),
        target: HomePath::new("base").unwrap(),
    };
    let mut spec = spec();
    spec.template = vec![entry.clone()];
    let mut handle = provider.create(spec).await.unwrap();
    let mut depths = Vec::new();
    for steps in STEPS.chunks(at_once) {
        maker.output(&handle, &steps.join("; ")).await;
        let taken = provider.snapshot(&handle, SnapshotRequest::default()).await;
        let taken = taken.unwrap();
        depths.push(taken.depth);
        maker.verify(&taken.id).await;
        provider.destroy(&handle).await.unwrap();
        let mut next = from(&taken);
        next.template = vec![entry.clone()];
        handle = provider.create(next).await.unwrap();
        // What it stood on before may go.
        provider
            .collect_snapshots(std::slice::from_ref(&taken.id))
            .await
            .unwrap();
    }
    assert!(depths.iter().all(|depth| *depth <= max), "{depths:?}");
    assert!(
        depths.windows(2).any(|pair| pair[1] < pair[0]),
        "{depths:?}"
    );
    let look = "find . -path ./.local -prune -o \\( -type f -o -type l \\) -print | sort | \
                while read f; do echo $f $(cat $f); done; stat -c %a e";
    let expected = "./a 9\n./base/sub/new 4\n./e/z 2\n./eleven ten\n./link 9\n./turns 6\n700\n";
    assert_eq!(maker.output(&handle, look).await, expected);
    provider.destroy(&handle).await.unwrap();
}

#[tokio::test]
async fn a_long_chain_of_local_snapshots_is_merged() {
    bounded(async {
        for tier in TIERS {
            let machine = Machine::new(tier);
            let maker = Maker::Local(machine.local.clone());
            let max = u32::try_from(SANDBOX_LAYERS_MAX).unwrap();
            a_long_chain_is_merged_and_means_the_same(&maker, 1, max).await;
        }
    })
    .await;
}

/// Fewer and shorter chains: every snapshot of a container takes seconds.
#[tokio::test]
async fn a_long_chain_of_podman_snapshots_is_merged() {
    bounded(async {
        let engine = Engine::open_merging(entropy(), 2).await;
        let maker = Maker::Container(engine.container.clone());
        a_long_chain_is_merged_and_means_the_same(&maker, 3, 2).await;
    })
    .await;
}

#[tokio::test]
async fn a_damaged_snapshot_is_never_handed_out() {
    bounded(async {
        let machine = Machine::new(Tier::Root);
        let handle = machine.create().await;
        machine.output(&handle, "echo good > workspace/a").await;
        let taken = snapshot(&machine, &handle).await;
        machine.local.verify(&taken.id).await.unwrap();
        let layers = state(&machine).join("layers");
        let layer = fs::read_dir(&layers)
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path();
        let file = some_file(layer.join("tree")).unwrap();
        fs::write(&file, "evil\n").unwrap();
        let damaged = Err(Error::Damaged {
            id: taken.id.to_string(),
        });
        assert_eq!(machine.local.verify(&taken.id).await, damaged);
        // A layer that is not whole is seen at once, as is a manifest that was changed.
        fs::rename(layer.join("layer.json"), layer.join("x")).unwrap();
        assert_eq!(machine.local.create(from(&taken)).await.map(drop), damaged);
        fs::rename(layer.join("x"), layer.join("layer.json")).unwrap();
        let manifest = state(&machine)
            .join("snapshots")
            .join(format!("{}.json", taken.id));
        let text = fs::read_to_string(&manifest).unwrap();
        fs::write(&manifest, text.replace("\"version\":1", "\"version\": 1")).unwrap();
        assert_eq!(machine.local.create(from(&taken)).await.map(drop), damaged);
    })
    .await;
}

#[tokio::test]
async fn a_template_is_made_once_and_shared() {
    bounded(async {
        let machine = Machine::new(Tier::Root);
        let tree = machine.dir.path().join("tools");
        fs::create_dir_all(tree.join("bin")).unwrap();
        fs::write(tree.join("bin/hello"), "#!/bin/sh\necho hello\n").unwrap();
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(tree.join("bin/hello"), permissions).unwrap();
        let mut spec = spec();
        spec.template = vec![TemplateEntry {
            source: tree.join("bin/hello"),
            target: HomePath::new(".local/bin/hello").unwrap(),
        }];
        let one = machine.local.create(spec.clone()).await.unwrap();
        let two = machine.local.create(spec.clone()).await.unwrap();
        assert_eq!(
            machine
                .output(&one, "hello; echo changed > .local/bin/hello")
                .await,
            "hello\n"
        );
        assert_eq!(machine.output(&two, "hello").await, "hello\n");
        let count = || {
            fs::read_dir(state(&machine).join("templates"))
                .unwrap()
                .count()
        };
        assert_eq!(count(), 1);
        fs::write(tree.join("bin/hello"), "#!/bin/sh\necho newer\n").unwrap();
        let three = machine.local.create(spec.clone()).await.unwrap();
        assert_eq!(machine.output(&three, "hello").await, "newer\n");
        assert_eq!(count(), 2);
        // Later ones push out those that no sandbox stands on.
        machine.local.destroy(&two).await.unwrap();
        for number in 0..4 {
            fs::write(
                tree.join("bin/hello"),
                format!("#!/bin/sh\necho {number}\n"),
            )
            .unwrap();
            let next = machine.local.create(spec.clone()).await.unwrap();
            machine.local.destroy(&next).await.unwrap();
        }
        assert_eq!(count(), 6);
        machine.local.collect_snapshots(&[]).await.unwrap();
        assert_eq!(count(), 5);
        assert_eq!(machine.output(&three, "hello").await, "newer\n");
        let last = machine.local.create(spec.clone()).await.unwrap();
        assert_eq!(machine.output(&last, "hello").await, "3\n");
        assert_eq!(count(), 5);
        spec.template[0].source = tree.join("absent");
        let missing = machine.local.create(spec).await;
        assert!(
            matches!(missing, Err(Error::NotFound { .. })),
            "{missing:?}"
        );
    })
    .await;
}
