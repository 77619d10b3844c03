//! What every provider must do. Each case runs on each provider.

use std::{sync::Arc, time::Duration};

use domain::caller::Incarnation;
use sandbox::{
    Env, Error, ExecRequest, Exit, File, Handle, HomePath, Liveness, Origin, ProcessSpec,
    ProcessState, Provider, Retry, SnapshotRef, SnapshotRequest, Spec,
};

use crate::support::spec;

pub(crate) type Subject = Arc<dyn Provider>;

macro_rules! cases {
    ($($case:ident)+) => {
        /// A test of each case, on the provider that an expression makes. What it makes besides lives as
        /// long as the test.
        macro_rules! conformance {
            ($subject:expr) => {$(
                #[tokio::test]
                async fn $case() {
                    crate::support::bounded(async {
                        let (_kept, provider) = $subject;
                        crate::conformance::$case(provider).await;
                    })
                    .await;
                }
            )+};
        }
    };
}

cases! {
    a_sandbox_lives_until_it_is_destroyed
    a_handle_survives_being_stored_and_another_incarnation_is_refused
    programs_run_with_their_words_place_and_environment
    programs_are_bounded_in_output_and_time
    files_are_written_and_read
    files_given_at_creation_are_there
    a_program_that_goes_on_can_be_watched_and_stopped
    a_snapshot_keeps_the_moment
    a_snapshot_of_a_restored_sandbox_has_both
    two_sandboxes_of_one_snapshot_are_apart
    secrets_are_taken_away_for_a_snapshot_and_put_back
    only_unused_snapshots_are_collected
    secrets_are_not_printed
}

fn path(text: &str) -> HomePath {
    HomePath::new(text).unwrap()
}

fn file(at: &str, text: &str) -> File {
    File::new(path(at), text.as_bytes().to_vec())
}

async fn create(provider: &Subject) -> Handle {
    provider.create(spec()).await.unwrap()
}

async fn read(provider: &Subject, handle: &Handle, at: &str) -> Result<String, Error> {
    let bytes = provider.read(handle, &path(at)).await?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

async fn restore(provider: &Subject, from: &SnapshotRef) -> Handle {
    let restored = Spec {
        origin: Origin::Snapshot(from.clone()),
        incarnation: Incarnation(2),
        ..spec()
    };
    provider.create(restored).await.unwrap()
}

/// What a program prints; it must succeed.
async fn output(provider: &Subject, handle: &Handle, argv: &[&str]) -> String {
    let result = provider.exec(handle, ExecRequest::new(argv.to_vec())).await;
    let result = result.unwrap();
    assert!(result.is_success(), "{argv:?}: {result:?}");
    result.stdout.text()
}

/// Looks until it holds; the test's own bound ends it.
pub(crate) async fn until<F: Future<Output = bool>>(holds: impl Fn() -> F) {
    while !holds().await {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

pub(crate) async fn a_sandbox_lives_until_it_is_destroyed(provider: Subject) {
    let handle = create(&provider).await;
    assert_eq!(handle.provider, provider.name());
    assert_eq!(provider.liveness(&handle).await, Liveness::Alive);
    provider.reattach(&handle).await.unwrap();
    let other = create(&provider).await;
    assert_ne!(handle.id, other.id);
    provider.destroy(&handle).await.unwrap();
    assert_eq!(provider.liveness(&handle).await, Liveness::Dead);
    assert_eq!(provider.liveness(&other).await, Liveness::Alive);
    // Destroying it again succeeds.
    provider.destroy(&handle).await.unwrap();
    let after = provider.exec(&handle, ExecRequest::new(["true"])).await;
    assert_eq!(after, Err(Error::Gone));
    assert_eq!(Error::Gone.retry(), Retry::NewSandbox);
    assert_eq!(provider.reattach(&handle).await, Err(Error::Gone));
    let gone = read(&provider, &handle, "a").await;
    assert_eq!(gone, Err(Error::Gone));
    provider.destroy(&other).await.unwrap();
}

pub(crate) async fn a_handle_survives_being_stored_and_another_incarnation_is_refused(
    provider: Subject,
) {
    let handle = create(&provider).await;
    let text = serde_json::to_string(&handle).unwrap();
    let stored: Handle = serde_json::from_str(&text).unwrap();
    assert_eq!(stored, handle);
    provider.reattach(&stored).await.unwrap();
    assert_eq!(output(&provider, &stored, &["echo", "hi"]).await, "hi\n");
    let old = Handle {
        incarnation: Incarnation(handle.incarnation.0 + 1),
        ..handle.clone()
    };
    assert_eq!(provider.reattach(&old).await, Err(Error::Gone));
    let foreign = Handle {
        provider: "another".into(),
        ..handle.clone()
    };
    assert_eq!(provider.reattach(&foreign).await, Err(Error::Gone));
    provider.destroy(&handle).await.unwrap();
}

pub(crate) async fn programs_run_with_their_words_place_and_environment(provider: Subject) {
    let mut spec = spec();
    spec.env = Env::of([("COLOUR", "green"), ("SHAPE", "round")]).unwrap();
    let handle = provider.create(spec).await.unwrap();
    let words = output(&provider, &handle, &["echo", "a b", "$HOME", "*", "\"'"]).await;
    assert_eq!(words, "a b $HOME * \"'\n");
    assert_eq!(output(&provider, &handle, &["pwd"]).await, "/home/user\n");
    let colour = output(&provider, &handle, &["printenv", "COLOUR"]).await;
    assert_eq!(colour, "green\n");
    let mut request = ExecRequest::new(["printenv", "COLOUR"]);
    request.env = Env::of([("COLOUR", "line\nbreak = \"1\"")]).unwrap();
    let result = provider.exec(&handle, request).await.unwrap();
    assert_eq!(result.stdout.text(), "line\nbreak = \"1\"\n");
    let mut request = ExecRequest::new(["pwd"]);
    request.cwd = HomePath::workspace();
    let result = provider.exec(&handle, request).await.unwrap();
    assert_eq!(result.stdout.text(), "/home/user/workspace\n");
    let mut request = ExecRequest::new(["cat"]);
    request.stdin = Some("to be read".into());
    let result = provider.exec(&handle, request).await.unwrap();
    assert_eq!(result.stdout.text(), "to be read");
    let result = provider.exec(&handle, ExecRequest::new(["false"])).await;
    assert_eq!(result.unwrap().exit, Exit::Code(1));
    let nothing = provider.exec(&handle, ExecRequest::new(["no-such-program"]));
    assert!(!nothing.await.unwrap().is_success());
    let mut request = ExecRequest::new(["true"]);
    request.cwd = path("nowhere");
    let refused = provider.exec(&handle, request).await;
    assert!(
        matches!(refused, Err(Error::NotFound { .. })),
        "{refused:?}"
    );
    provider.destroy(&handle).await.unwrap();
}

pub(crate) async fn programs_are_bounded_in_output_and_time(provider: Subject) {
    let handle = create(&provider).await;
    let mut request = ExecRequest::new(["head", "-c", "300000", "/dev/zero"]);
    request.output_bytes_max = 1000;
    let result = provider.exec(&handle, request).await.unwrap();
    assert_eq!(result.exit, Exit::Code(0));
    assert_eq!(result.stdout.bytes.len(), 1000);
    assert_eq!(result.stdout.dropped, 299_000);
    let mut request = ExecRequest::new(["sleep", "100"]);
    request.timeout = Duration::from_millis(300);
    let result = provider.exec(&handle, request).await.unwrap();
    assert_eq!(result.exit, Exit::TimedOut);
    provider.destroy(&handle).await.unwrap();
}

pub(crate) async fn files_are_written_and_read(provider: Subject) {
    let handle = create(&provider).await;
    let files = vec![
        file("workspace/deep/er/a.txt", "one"),
        file("workspace/b.txt", "two"),
        file("/home/user/c.txt", ""),
    ];
    provider.write(&handle, files).await.unwrap();
    let got = read(&provider, &handle, "workspace/deep/er/a.txt").await;
    assert_eq!(got.unwrap(), "one");
    assert_eq!(read(&provider, &handle, "c.txt").await.unwrap(), "");
    let again = vec![file("workspace/b.txt", "three")];
    provider.write(&handle, again).await.unwrap();
    assert_eq!(
        output(&provider, &handle, &["cat", "workspace/b.txt"]).await,
        "three"
    );
    output(
        &provider,
        &handle,
        &["cp", "workspace/b.txt", "workspace/d.txt"],
    )
    .await;
    assert_eq!(
        read(&provider, &handle, "workspace/d.txt").await.unwrap(),
        "three"
    );
    let listed = provider.list(&handle, &path("workspace")).await.unwrap();
    let names: Vec<&str> = listed.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["b.txt", "d.txt", "deep"]);
    let missing = read(&provider, &handle, "workspace/none").await;
    assert!(
        matches!(missing, Err(Error::NotFound { .. })),
        "{missing:?}"
    );
    let missing = provider.list(&handle, &path("none")).await;
    assert!(
        matches!(missing, Err(Error::NotFound { .. })),
        "{missing:?}"
    );
    let gone = vec![
        path("workspace/deep"),
        path("workspace/b.txt"),
        path("none"),
    ];
    provider.remove(&handle, gone).await.unwrap();
    let listed = provider.list(&handle, &path("workspace")).await.unwrap();
    assert_eq!(listed.len(), 1);
    provider.destroy(&handle).await.unwrap();
}

pub(crate) async fn files_given_at_creation_are_there(provider: Subject) {
    let mut spec = spec();
    spec.files = vec![
        file(".config/a.json", "{}"),
        file("workspace/run.sh", "#!/bin/sh\n"),
    ];
    spec.files[1].mode = 0o755;
    let handle = provider.create(spec).await.unwrap();
    assert_eq!(
        output(&provider, &handle, &["cat", ".config/a.json"]).await,
        "{}"
    );
    assert_eq!(
        read(&provider, &handle, "workspace/run.sh").await.unwrap(),
        "#!/bin/sh\n"
    );
    provider.destroy(&handle).await.unwrap();
}

pub(crate) async fn a_program_that_goes_on_can_be_watched_and_stopped(provider: Subject) {
    let handle = create(&provider).await;
    let talk = ProcessSpec::new("talk", ["echo", "hello"]);
    provider.start(&handle, talk.clone()).await.unwrap();
    let ended = ProcessState::Exited { code: Some(0) };
    until(|| async { provider.process(&handle, "talk").await.unwrap() == ended }).await;
    until(|| async {
        !provider
            .log(&handle, "talk", 0)
            .await
            .unwrap()
            .bytes
            .is_empty()
    })
    .await;
    let log = provider.log(&handle, "talk", 0).await.unwrap();
    assert_eq!(
        (&log.bytes[..], log.next, log.lost),
        (&b"hello\n"[..], 6, 0)
    );
    let rest = provider.log(&handle, "talk", 2).await.unwrap();
    assert_eq!(&rest.bytes[..], b"llo\n");
    let none = provider.log(&handle, "talk", 6).await.unwrap();
    assert_eq!((none.bytes.len(), none.next), (0, 6));
    // Its name is free again.
    provider.start(&handle, talk).await.unwrap();
    let wait = ProcessSpec::new("wait", ["sleep", "1000"]);
    provider.start(&handle, wait.clone()).await.unwrap();
    assert_eq!(
        provider.process(&handle, "wait").await,
        Ok(ProcessState::Running)
    );
    let twice = provider.start(&handle, wait).await;
    assert!(matches!(twice, Err(Error::Invalid { .. })), "{twice:?}");
    provider.stop(&handle, "wait").await.unwrap();
    let state = provider.process(&handle, "wait").await.unwrap();
    assert!(matches!(state, ProcessState::Exited { .. }), "{state:?}");
    provider.stop(&handle, "wait").await.unwrap();
    let unknown = provider.process(&handle, "unknown").await;
    assert!(
        matches!(unknown, Err(Error::NotFound { .. })),
        "{unknown:?}"
    );
    for bad in ["", "../x", "a b", "a/b"] {
        let refused = provider
            .start(&handle, ProcessSpec::new(bad, ["true"]))
            .await;
        assert!(
            matches!(refused, Err(Error::Invalid { .. })),
            "{bad}: {refused:?}"
        );
    }
    provider.destroy(&handle).await.unwrap();
}

async fn snapshot(provider: &Subject, handle: &Handle) -> SnapshotRef {
    let request = SnapshotRequest::default();
    provider.snapshot(handle, request).await.unwrap()
}

pub(crate) async fn a_snapshot_keeps_the_moment(provider: Subject) {
    let handle = create(&provider).await;
    provider
        .write(&handle, vec![file("workspace/a", "before")])
        .await
        .unwrap();
    let taken = snapshot(&provider, &handle).await;
    assert_eq!(taken.provider, provider.name());
    assert_eq!(provider.liveness(&handle).await, Liveness::Alive);
    provider
        .write(&handle, vec![file("workspace/a", "after")])
        .await
        .unwrap();
    let text = serde_json::to_string(&taken).unwrap();
    let stored: SnapshotRef = serde_json::from_str(&text).unwrap();
    let restored = restore(&provider, &stored).await;
    assert_eq!(restored.incarnation, Incarnation(2));
    assert_eq!(
        read(&provider, &restored, "workspace/a").await.unwrap(),
        "before"
    );
    assert_eq!(
        read(&provider, &handle, "workspace/a").await.unwrap(),
        "after"
    );
    provider.destroy(&restored).await.unwrap();
    provider.destroy(&handle).await.unwrap();
}

pub(crate) async fn a_snapshot_of_a_restored_sandbox_has_both(provider: Subject) {
    let first = create(&provider).await;
    let files = vec![
        file("workspace/a", "1"),
        file("workspace/b", "1"),
        file("workspace/c/d", "1"),
    ];
    provider.write(&first, files).await.unwrap();
    let one = snapshot(&provider, &first).await;
    let second = restore(&provider, &one).await;
    provider
        .write(&second, vec![file("workspace/a", "2")])
        .await
        .unwrap();
    output(&provider, &second, &["rm", "workspace/b"]).await;
    provider
        .remove(&second, vec![path("workspace/c")])
        .await
        .unwrap();
    let two = snapshot(&provider, &second).await;
    assert_eq!(two.parent, Some(one.id.clone()));
    let third = restore(&provider, &two).await;
    assert_eq!(read(&provider, &third, "workspace/a").await.unwrap(), "2");
    let listed = provider.list(&third, &path("workspace")).await.unwrap();
    assert_eq!(listed.len(), 1, "{listed:?}");
    for handle in [first, second, third] {
        provider.destroy(&handle).await.unwrap();
    }
}

pub(crate) async fn two_sandboxes_of_one_snapshot_are_apart(provider: Subject) {
    let source = create(&provider).await;
    provider.write(&source, vec![file("a", "x")]).await.unwrap();
    let taken = snapshot(&provider, &source).await;
    let (one, two) = (
        restore(&provider, &taken).await,
        restore(&provider, &taken).await,
    );
    provider.write(&one, vec![file("a", "one")]).await.unwrap();
    assert_eq!(read(&provider, &two, "a").await.unwrap(), "x");
    provider.destroy(&source).await.unwrap();
    provider.destroy(&one).await.unwrap();
    assert_eq!(read(&provider, &two, "a").await.unwrap(), "x");
    provider.destroy(&two).await.unwrap();
}

pub(crate) async fn secrets_are_taken_away_for_a_snapshot_and_put_back(provider: Subject) {
    let handle = create(&provider).await;
    let files = vec![file("secret", "s3cret"), file("kept", "s3cret")];
    provider.write(&handle, files).await.unwrap();
    let around = SnapshotRequest {
        before: Some(ExecRequest::new(["rm", "secret"])),
        after: Some(ExecRequest::new(["cp", "kept", "secret"])),
    };
    let taken = provider.snapshot(&handle, around).await.unwrap();
    assert_eq!(read(&provider, &handle, "secret").await.unwrap(), "s3cret");
    let restored = restore(&provider, &taken).await;
    let absent = read(&provider, &restored, "secret").await;
    assert!(matches!(absent, Err(Error::NotFound { .. })), "{absent:?}");
    // What cannot be scrubbed is not kept, and what was is put back all the same.
    let fails = SnapshotRequest {
        before: Some(ExecRequest::new(["false"])),
        after: Some(ExecRequest::new(["cp", "kept", "back"])),
    };
    let refused = provider.snapshot(&handle, fails).await;
    assert!(matches!(refused, Err(Error::Failed { .. })), "{refused:?}");
    assert_eq!(read(&provider, &handle, "back").await.unwrap(), "s3cret");
    assert_eq!(provider.liveness(&handle).await, Liveness::Alive);
    provider.destroy(&restored).await.unwrap();
    provider.destroy(&handle).await.unwrap();
}

pub(crate) async fn only_unused_snapshots_are_collected(provider: Subject) {
    let handle = create(&provider).await;
    let mut taken = Vec::new();
    for number in 0..3 {
        let text = number.to_string();
        provider
            .write(&handle, vec![file("a", &text)])
            .await
            .unwrap();
        taken.push(snapshot(&provider, &handle).await);
    }
    let used = restore(&provider, &taken[1]).await;
    let collected = provider
        .collect_snapshots(&[taken[0].id.clone()])
        .await
        .unwrap();
    assert!(collected.snapshots >= 1, "{collected:?}");
    let spec_of = |from: &SnapshotRef| Spec {
        origin: Origin::Snapshot(from.clone()),
        ..spec()
    };
    let gone = provider.create(spec_of(&taken[2])).await;
    assert!(matches!(gone, Err(Error::NoSnapshot { .. })), "{gone:?}");
    assert_eq!(read(&provider, &used, "a").await.unwrap(), "1");
    let kept = restore(&provider, &taken[0]).await;
    assert_eq!(read(&provider, &kept, "a").await.unwrap(), "0");
    for handle in [handle, used, kept] {
        provider.destroy(&handle).await.unwrap();
    }
}

pub(crate) async fn secrets_are_not_printed(provider: Subject) {
    let mut spec = spec();
    spec.env = Env::of([("TOKEN", "s3cret-value")]).unwrap();
    spec.files = vec![file("a", "s3cret-value")];
    let mut request = ExecRequest::new(["true"]);
    request.env = spec.env.clone();
    let mut process = ProcessSpec::new("a", ["true"]);
    process.env = spec.env.clone();
    let mut text = format!("{spec:?} {request:?} {process:?}");
    let handle = provider.create(spec).await.unwrap();
    let stored = serde_json::to_string(&handle).unwrap();
    text = format!("{text} {provider:?} {handle:?} {stored}");
    assert!(!text.contains("s3cret-value"), "{text}");
    assert!(text.contains("TOKEN"), "{text}");
    provider.destroy(&handle).await.unwrap();
}
