//! Starting, reloading, and deciding for runs that were started under an earlier policy.

use std::sync::Arc;

use domain::{
    clock::Clock as _,
    limits::POLICIES_KEPT_MAX,
    policy::{Operation, PolicyId, ToolFacts},
};

use testkit::{
    clock::FakeClock,
    database::{Backend, TestDatabase},
};

use super::{edited, with, write};
use crate::policy::{
    ActivePolicy, NotInForce, Policy, PolicyFile, PolicyFiles, PolicySource, Problems, load, stored,
};

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

/// A policy that is read from a directory.
struct Started {
    directory: tempfile::TempDir,
    database: TestDatabase,
    active: ActivePolicy,
}

async fn start(source: PolicySource, database: &TestDatabase) -> Result<ActivePolicy, NotInForce> {
    ActivePolicy::start(source, &database.db, FakeClock::new().now()).await
}

async fn started(files: &PolicyFiles) -> Started {
    let directory = tempfile::tempdir().unwrap();
    let database = TestDatabase::create(Backend::Sqlite).await;
    write(directory.path(), files);
    let source = PolicySource::Directory(directory.path().to_owned());
    let active = start(source, &database).await.unwrap();
    Started {
        directory,
        database,
        active,
    }
}

impl Started {
    fn write(&self, files: &PolicyFiles) {
        write(self.directory.path(), files);
    }

    async fn reload(&self) -> Result<bool, NotInForce> {
        let now = FakeClock::new().now();
        self.active.reload(&self.database.db, now).await
    }

    async fn is_kept(&self, id: &PolicyId) -> bool {
        let mut conn = self.database.db.read().await.unwrap();
        stored::load(&mut conn, id).await.unwrap().is_some()
    }
}

fn refused(error: NotInForce) -> Problems {
    match error {
        NotInForce::Refused(problems) => problems,
        NotInForce::NotKept(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn without_a_valid_policy_nothing_starts() {
    let directory = tempfile::tempdir().unwrap();
    let database = TestDatabase::create(Backend::Sqlite).await;
    let source = PolicySource::Directory(directory.path().to_owned());
    let problems = refused(start(source.clone(), &database).await.unwrap_err());
    let files: Vec<_> = problems.all.iter().map(|problem| problem.file).collect();
    assert_eq!(files, PolicyFile::ALL);
    assert!(problems.all[0].reason.starts_with("cannot be read: "));
    write(
        directory.path(),
        &edited(PolicyFile::Roles, "class: agent", "class: robot"),
    );
    refused(start(source, &database).await.unwrap_err());
    assert!(start(PolicySource::BuiltIn, &database).await.is_ok());
}

#[tokio::test]
async fn case_17_after_a_refused_file_the_old_policy_stays() {
    let started = started(&PolicyFiles::built_in()).await;
    let active = &started.active;
    let before = active.current();
    started.write(&edited(
        PolicyFile::Lanes,
        "required: true",
        "required: false",
    ));
    let problems = refused(started.reload().await.unwrap_err());
    assert_eq!(problems.all.len(), 1);
    assert!(Arc::ptr_eq(&before, &active.current()));
    std::fs::remove_file(started.directory.path().join("tools.yaml")).unwrap();
    assert!(started.reload().await.is_err());
    assert!(Arc::ptr_eq(&before, &active.current()));
    started.write(&PolicyFiles::built_in());
    assert!(!started.reload().await.unwrap());
}

#[tokio::test]
async fn case_16_a_reload_leaves_runs_the_policy_they_are_pinned_to() {
    let started = started(&PolicyFiles::built_in()).await;
    let active = &started.active;
    let pins = active.current().versions().clone();
    let tighter = edited(
        PolicyFile::Lanes,
        "        - ocr.extract\n        - document.text\n",
        "        - document.text\n",
    );
    started.write(&tighter);
    assert!(started.reload().await.unwrap());
    let (pinned, current) = (active.pinned(&pins.id()).unwrap(), active.current());
    assert!(allows(&pinned, "TOOL_DOCUMENT_INTAKE", "ocr.extract"));
    assert!(!allows(&current, "TOOL_DOCUMENT_INTAKE", "ocr.extract"));
    assert!(!started.reload().await.unwrap());

    // A tool taken out of service is out of service for runs under way too; one put in is not for them.
    let disabled = edited(PolicyFile::Tools, "enabled: true", "enabled: false");
    started.write(&disabled);
    assert!(started.reload().await.unwrap());
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
    let started = started(&numbered(1)).await;
    let active = &started.active;
    let first = active.current().versions().clone();
    started.write(&numbered(2));
    started.reload().await.unwrap();
    started.write(&numbered(1));
    assert!(started.reload().await.unwrap());
    assert!(Arc::ptr_eq(
        &active.pinned(&first.id()).unwrap(),
        &active.current()
    ));
}

#[tokio::test]
async fn case_15_pins_of_a_forgotten_or_unknown_policy_find_none() {
    let started = started(&numbered(0)).await;
    let active = &started.active;
    let mut pins = vec![active.current().versions().clone()];
    for number in 1..=POLICIES_KEPT_MAX + 1 {
        started.write(&numbered(number));
        started.reload().await.unwrap();
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
    let database = TestDatabase::create(Backend::Sqlite).await;
    let active = start(PolicySource::BuiltIn, &database).await.unwrap();
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

#[tokio::test]
async fn a_policy_is_kept_before_it_comes_into_force() {
    let started = started(&numbered(1)).await;
    let first = started.active.current().id().clone();
    assert!(started.is_kept(&first).await);
    let second = load(numbered(2)).unwrap().id().clone();
    started.write(&numbered(2));
    assert!(!started.is_kept(&second).await);

    // One that cannot be kept does not decide anything.
    let closed = "ALTER TABLE policies RENAME TO moved";
    started.database.execute(closed).await;
    let error = started.reload().await.unwrap_err();
    assert!(matches!(error, NotInForce::NotKept(_)), "{error}");
    assert_eq!(started.active.current().id(), &first);
    let open = "ALTER TABLE moved RENAME TO policies";
    started.database.execute(open).await;
    assert!(started.reload().await.unwrap());
    assert_eq!(started.active.current().id(), &second);
    assert!(started.is_kept(&first).await && started.is_kept(&second).await);
}
