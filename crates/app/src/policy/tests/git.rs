//! Commits of policy files, in repositories made for each test.

use std::{path::Path, process::Command};

use super::{edited, write};
use crate::policy::{LoadedPolicy, PolicyFile, PolicyFiles, PolicySource};

fn git(directory: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .args(["-c", "user.name=Test", "-c", "user.email=test@example.com"])
        .args(["-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(directory)
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn commit(directory: &Path, message: &str) -> String {
    git(directory, &["add", "."]);
    git(directory, &["commit", "-q", "-m", message]);
    git(directory, &["rev-parse", "HEAD"])
}

async fn load(directory: &Path) -> LoadedPolicy {
    let source = PolicySource::Directory(directory.to_owned());
    source.load().await.unwrap()
}

fn commits(loaded: &LoadedPolicy) -> [Option<&str>; 3] {
    let versions = loaded.policy.versions();
    let pins = [&versions.lanes, &versions.roles, &versions.tools];
    pins.map(|pin| pin.commit.as_deref())
}

/// Case 15: a commit is part of a pin only if it holds the very bytes that decide.
#[tokio::test]
async fn case_15_a_pin_names_the_commit_that_holds_its_bytes() {
    let repository = tempfile::tempdir().unwrap();
    let directory = repository.path().join("policy");
    std::fs::create_dir(&directory).unwrap();
    write(&directory, &PolicyFiles::built_in());
    git(repository.path(), &["init", "-q"]);
    let loaded = load(&directory).await;
    assert_eq!(commits(&loaded), [None, None, None]);
    assert_eq!(
        loaded.warnings[0],
        "lanes.yaml is pinned without a commit: the repository has no commit"
    );

    let first = commit(repository.path(), "policy");
    let changed = edited(PolicyFile::Lanes, "An agent works alone", "An agent works");
    write(&directory, &changed);
    let second = commit(repository.path(), "words");
    std::fs::write(repository.path().join("other.txt"), "x").unwrap();
    commit(repository.path(), "something else");
    let loaded = load(&directory).await;
    let expected = [Some(&*second), Some(&*first), Some(&*first)];
    assert_eq!(commits(&loaded), expected);
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    // The blob id is the one git stores the file under.
    let blob = git(&directory, &["rev-parse", "HEAD:./lanes.yaml"]);
    assert_eq!(loaded.policy.versions().lanes.blob, blob);

    write(&directory, &PolicyFiles::built_in());
    let loaded = load(&directory).await;
    let expected = [None, Some(&*first), Some(&*first)];
    assert_eq!(commits(&loaded), expected);
    assert_eq!(
        loaded.warnings,
        ["lanes.yaml is pinned without a commit: it differs from what is committed"]
    );
}

/// Case 18: a shallow clone's history names the wrong commit, so none is named.
#[tokio::test]
async fn case_18_a_shallow_clone_gives_no_commit() {
    let origin = tempfile::tempdir().unwrap();
    write(origin.path(), &PolicyFiles::built_in());
    git(origin.path(), &["init", "-q"]);
    commit(origin.path(), "policy");
    std::fs::write(origin.path().join("other.txt"), "x").unwrap();
    commit(origin.path(), "something else");
    let place = tempfile::tempdir().unwrap();
    let url = format!("file://{}", origin.path().display());
    git(
        place.path(),
        &["clone", "-q", "--depth", "1", &url, "clone"],
    );
    let loaded = load(&place.path().join("clone")).await;
    assert_eq!(commits(&loaded), [None, None, None]);
    assert_eq!(loaded.warnings.len(), 3);
    assert!(loaded.warnings[0].contains("the clone is shallow"));
    // The bytes are the same, and they are what decides.
    let whole = load(origin.path()).await;
    assert!(commits(&whole).iter().all(Option::is_some));
    assert!(
        whole
            .policy
            .versions()
            .same_policy(loaded.policy.versions())
    );
}

#[tokio::test]
async fn outside_a_repository_there_is_no_commit_and_nothing_to_warn_of() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), &PolicyFiles::built_in());
    let loaded = load(directory.path()).await;
    assert_eq!(commits(&loaded), [None, None, None]);
    assert!(loaded.warnings.is_empty());
}

#[tokio::test]
async fn a_file_that_was_never_committed_is_said_to_be() {
    let directory = tempfile::tempdir().unwrap();
    git(directory.path(), &["init", "-q"]);
    std::fs::write(directory.path().join("other.txt"), "x").unwrap();
    commit(directory.path(), "something else");
    write(directory.path(), &PolicyFiles::built_in());
    let loaded = load(directory.path()).await;
    assert_eq!(commits(&loaded), [None, None, None]);
    assert!(loaded.warnings[2].contains("tools.yaml is pinned without a commit: it was never"));
}
