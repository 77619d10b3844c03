//! Starting, reloading, and deciding for runs that were started under an earlier policy.

use std::sync::Arc;

use domain::{
    limits::POLICIES_KEPT_MAX,
    policy::{Operation, ToolFacts},
};

use super::{edited, with, write};
use crate::policy::{ActivePolicy, Policy, PolicyFile, PolicyFiles, Source, load};

fn operation(name: &str) -> Operation {
    Operation::new(name).unwrap()
}

fn allows(policy: &Policy, lane: &str, tool: &str) -> bool {
    let lane = policy.snapshot().lane(&lane.parse().unwrap()).unwrap();
    lane.tools.contains(&operation(tool))
}

/// The built-in policy with another comment: another policy that says the same.
fn numbered(number: usize) -> PolicyFiles {
    with(PolicyFile::Lanes, |text| format!("{text}# {number}\n"))
}

async fn started(files: &PolicyFiles) -> (tempfile::TempDir, ActivePolicy) {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), files);
    let source = Source::Directory(directory.path().to_owned());
    let active = ActivePolicy::start(source).await.unwrap();
    (directory, active)
}

#[tokio::test]
async fn without_a_valid_policy_nothing_starts() {
    let directory = tempfile::tempdir().unwrap();
    let source = Source::Directory(directory.path().to_owned());
    let problems = ActivePolicy::start(source.clone()).await.unwrap_err();
    let files: Vec<_> = problems.all.iter().map(|problem| problem.file).collect();
    assert_eq!(files, PolicyFile::ALL);
    assert!(problems.all[0].reason.starts_with("cannot be read: "));
    write(
        directory.path(),
        &edited(PolicyFile::Roles, "class: agent", "class: robot"),
    );
    assert!(ActivePolicy::start(source).await.is_err());
    assert!(ActivePolicy::start(Source::BuiltIn).await.is_ok());
}

#[tokio::test]
async fn case_17_after_a_refused_file_the_old_policy_stays() {
    let (directory, active) = started(&PolicyFiles::built_in()).await;
    let before = active.current();
    write(
        directory.path(),
        &edited(PolicyFile::Lanes, "required: true", "required: false"),
    );
    let problems = active.reload().await.unwrap_err();
    assert_eq!(problems.all.len(), 1);
    assert!(Arc::ptr_eq(&before, &active.current()));
    std::fs::remove_file(directory.path().join("tools.yaml")).unwrap();
    assert!(active.reload().await.is_err());
    assert!(Arc::ptr_eq(&before, &active.current()));
    write(directory.path(), &PolicyFiles::built_in());
    assert!(!active.reload().await.unwrap());
}

#[tokio::test]
async fn case_16_a_reload_leaves_runs_the_policy_they_are_pinned_to() {
    let (directory, active) = started(&PolicyFiles::built_in()).await;
    let pins = active.current().versions().clone();
    let tighter = edited(
        PolicyFile::Lanes,
        "        - ocr.extract\n        - document.text\n",
        "        - document.text\n",
    );
    write(directory.path(), &tighter);
    assert!(active.reload().await.unwrap());
    let (pinned, current) = (active.pinned(&pins.id()).unwrap(), active.current());
    assert!(allows(&pinned, "TOOL_DOCUMENT_INTAKE", "ocr.extract"));
    assert!(!allows(&current, "TOOL_DOCUMENT_INTAKE", "ocr.extract"));
    assert!(!active.reload().await.unwrap());

    // A tool taken out of service is out of service for runs under way too; one put in is not for them.
    let disabled = edited(PolicyFile::Tools, "enabled: true", "enabled: false");
    write(directory.path(), &disabled);
    assert!(active.reload().await.unwrap());
    let (pinned, current) = (active.pinned(&pins.id()).unwrap(), active.current());
    let facts = |pinned: &Policy, current: &Policy| -> ToolFacts {
        let facts = pinned.tool_facts(current, &operation("save_snapshot"));
        facts.unwrap()
    };
    assert!(!facts(&pinned, &current).enabled);
    assert!(!facts(&current, &pinned).enabled);
    assert!(facts(&pinned, &pinned).enabled);
}

#[tokio::test]
async fn a_policy_that_comes_back_is_the_same_one() {
    let (directory, active) = started(&numbered(1)).await;
    let first = active.current().versions().clone();
    write(directory.path(), &numbered(2));
    active.reload().await.unwrap();
    write(directory.path(), &numbered(1));
    assert!(active.reload().await.unwrap());
    assert!(Arc::ptr_eq(
        &active.pinned(&first.id()).unwrap(),
        &active.current()
    ));
}

#[tokio::test]
async fn case_15_pins_of_a_forgotten_or_unknown_policy_find_none() {
    let (directory, active) = started(&numbered(0)).await;
    let mut pins = vec![active.current().versions().clone()];
    for number in 1..=POLICIES_KEPT_MAX + 1 {
        write(directory.path(), &numbered(number));
        active.reload().await.unwrap();
        pins.push(active.current().versions().clone());
    }
    assert!(active.pinned(&pins[0].id()).is_none());
    assert!(
        pins[1..]
            .iter()
            .all(|pins| active.pinned(&pins.id()).is_some())
    );

    let mut forged = pins[1].clone();
    forged.lanes.sha256 = "0".repeat(64);
    assert!(active.pinned(&forged.id()).is_none());
    // One file of an earlier policy and two of another are no policy that ever was.
    let mut mixed = pins[1].clone();
    mixed.lanes = pins[2].lanes.clone();
    mixed.roles.sha256 = "0".repeat(64);
    assert!(active.pinned(&mixed.id()).is_none());
}

#[tokio::test]
async fn a_policy_known_from_elsewhere_never_comes_into_force() {
    let active = ActivePolicy::start(Source::BuiltIn).await.unwrap();
    let current = active.current();
    let elsewhere = load(numbered(7)).unwrap();
    let pins = elsewhere.versions().clone();
    assert!(active.pinned(&pins.id()).is_none());
    active.remember(elsewhere);
    assert!(active.pinned(&pins.id()).is_some());
    assert!(Arc::ptr_eq(&current, &active.current()));
    for number in 8..8 + POLICIES_KEPT_MAX {
        active.remember(load(numbered(number)).unwrap());
    }
    assert!(active.pinned(&pins.id()).is_none(), "the oldest goes");
    active.remember(load(PolicyFiles::built_in()).unwrap());
    assert!(Arc::ptr_eq(&current, &active.current()));
}
