//! Runs are decided under the policy they were started under; a change can tighten one and never loosen it.

use std::{fs, path::Path};

use app::policy::{PolicyFiles, PolicySource};
use serde_json::json;
use tempfile::TempDir;
use testkit::{
    app::TestApp,
    database::{Backend, TestDatabase},
};

use super::{
    desk::{Desk, dictation_call, with},
    identity::denied,
};

testkit::on_both_databases!(
    case_15_pins_that_are_none_are_denied,
    case_16_a_change_tightens_and_never_loosens,
    a_policy_that_is_refused_changes_nothing,
    another_process_decides_by_the_policy_of_the_run,
    the_policy_a_caller_expects_must_be_the_runs,
);

/// The built-in policy in a directory, with a change to its lanes.
pub(crate) fn policy_in(directory: &Path, change: impl Fn(&str) -> String) {
    let files = PolicyFiles::built_in();
    let lanes = change(std::str::from_utf8(&files.lanes.bytes).unwrap());
    fs::write(directory.join("lanes.yaml"), lanes).unwrap();
    fs::write(directory.join("roles.yaml"), files.roles.bytes).unwrap();
    fs::write(directory.join("tools.yaml"), files.tools.bytes).unwrap();
}

fn without_dictation(lanes: &str) -> String {
    let less = lanes.replace("        - dictation.start\n", "");
    assert_ne!(less, lanes);
    less
}

async fn desk_with_policy(backend: Backend, change: impl Fn(&str) -> String) -> (Desk, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    policy_in(directory.path(), change);
    let source = PolicySource::Directory(directory.path().to_owned());
    let desk = Desk::open_with(TestApp::builder(backend).policy(source)).await;
    (desk, directory)
}

async fn set_policy_id(database: &TestDatabase, run: &str, id: Option<&str>) {
    let id = id.map_or("NULL".to_owned(), |id| format!("'{id}'"));
    // A run without pins cannot be running; the database sees to it.
    let sql = format!("UPDATE runs SET policy_id = {id} WHERE id = '{run}'");
    database.execute(&sql).await;
}

async fn case_15_pins_that_are_none_are_denied(backend: Backend) {
    let desk = Desk::open(backend).await;
    for id in ["v1", &"a".repeat(39), &"a".repeat(64), &"A".repeat(64), ""] {
        let run = desk.run().await;
        set_policy_id(&desk.app.database, &run, Some(id)).await;
        denied(&desk.send(dictation_call(&run)).await, "policy_pin_missing");
    }
    assert_eq!(desk.dictation.calls(), 0);
    // And none at all is refused by the database itself.
    let run = desk.run().await;
    let sql = format!("UPDATE runs SET policy_id = NULL WHERE id = '{run}'");
    assert!(desk.app.database.try_execute(&sql).await.is_err());
}

async fn case_16_a_change_tightens_and_never_loosens(backend: Backend) {
    let (desk, directory) = desk_with_policy(backend, str::to_owned).await;
    let before = desk.run().await;
    desk.send(dictation_call(&before)).await.expect(200);
    policy_in(directory.path(), without_dictation);
    assert!(desk.app.app.reload_policy().await.unwrap());
    denied(
        &desk.send(dictation_call(&before)).await,
        "operation_not_allowed",
    );
    let during = desk.run().await;
    policy_in(directory.path(), str::to_owned);
    assert!(desk.app.app.reload_policy().await.unwrap());
    // The run that was started under the tight policy stays under it.
    denied(
        &desk.send(dictation_call(&during)).await,
        "operation_not_allowed",
    );
    desk.send(dictation_call(&before)).await.expect(200);
    let after = desk.run().await;
    desk.send(dictation_call(&after)).await.expect(200);
    assert_eq!(desk.dictation.calls(), 3);
}

async fn a_policy_that_is_refused_changes_nothing(backend: Backend) {
    let (desk, directory) = desk_with_policy(backend, str::to_owned).await;
    let run = desk.run().await;
    fs::write(directory.path().join("lanes.yaml"), "lanes: [nonsense").unwrap();
    assert!(desk.app.app.reload_policy().await.is_err());
    desk.send(dictation_call(&run)).await.expect(200);
}

async fn another_process_decides_by_the_policy_of_the_run(backend: Backend) {
    let (desk, _directory) =
        desk_with_policy(backend, |lanes| format!("# a policy of our own\n{lanes}")).await;
    let run = desk.run().await;
    // The other one has only the built-in policy, and never saw this one's files.
    let other = desk.beside(backend).await;
    other.send(dictation_call(&run)).await.expect(200);
    assert_eq!(desk.dictation.calls(), 1);
    let events = desk.events().await;
    let decision = events
        .iter()
        .rev()
        .find(|event| event["action_type"] == "authz_decision");
    let policy = desk.app.app.policy.current();
    let pinned = &policy.versions().lanes.blob;
    assert_eq!(decision.unwrap()["policy_versions"]["lanes"], json!(pinned));
    // A stored file that was changed afterwards leads nowhere.
    let third = desk.beside(backend).await;
    let sql = "UPDATE policy_files SET content = content || '# '";
    desk.app.database.execute(sql).await;
    denied(
        &third.send(dictation_call(&run)).await,
        "policy_pin_missing",
    );
}

async fn the_policy_a_caller_expects_must_be_the_runs(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let policy = desk.app.app.policy.current();
    let versions = policy.versions();
    let expected = json!({"lanes": versions.lanes.blob, "roles": versions.roles.blob});
    let body = with(dictation_call(&run), "expected_policy_versions", expected);
    desk.send(body).await.expect(200);
    let other = json!({"lanes": "0".repeat(40), "roles": versions.roles.blob});
    let body = with(dictation_call(&run), "expected_policy_versions", other);
    denied(&desk.send(body).await, "policy_pin_mismatch");
}
