//! Copies of signed checkpoints in the object store.

use std::{fs, path::PathBuf, time::Duration};

use app::audit;
use serde_json::json;
use testkit::{app::TestApp, database::Backend};
use tokio_util::sync::CancellationToken;

testkit::on_both_databases!(
    every_signed_checkpoint_is_copied_once,
    a_copy_waits_until_storage_is_back,
    case_50_another_checkpoint_of_the_same_size_is_refused_and_the_rest_goes_on,
    the_loop_copies_and_stops,
);

/// Something that is recorded, and its signature.
async fn signed(test: &TestApp) -> store::AuditCheckpoint {
    let made = test.owner().post("/v1/cases", json!({})).await;
    made.expect(201);
    let checkpoint = audit::sign_pending(&test.app, &test.acme).await.unwrap();
    checkpoint.unwrap()
}

fn copies(test: &TestApp) -> PathBuf {
    test.storage.path().join("blobs/audit/org_acme/checkpoints")
}

async fn every_signed_checkpoint_is_copied_once(backend: Backend) {
    let test = TestApp::start(backend).await;
    let (first, second) = (signed(&test).await, signed(&test).await);
    assert_eq!(audit::copy_checkpoints(&test.app).await.unwrap(), 2);
    assert_eq!(audit::copy_checkpoints(&test.app).await.unwrap(), 0);
    for checkpoint in [first, second] {
        let copy = fs::read_to_string(copies(&test).join(checkpoint.size.to_string()));
        assert_eq!(copy.unwrap(), checkpoint.note);
    }
    let third = signed(&test).await;
    assert_eq!(audit::copy_checkpoints(&test.app).await.unwrap(), 1);
    assert!(copies(&test).join(third.size.to_string()).exists());
}

async fn a_copy_waits_until_storage_is_back(backend: Backend) {
    let test = TestApp::start(backend).await;
    let checkpoint = signed(&test).await;
    let (root, away) = (
        test.storage.path().join("blobs"),
        test.storage.path().join("away"),
    );
    fs::rename(&root, &away).unwrap();
    fs::write(&root, "not a directory").unwrap();
    assert!(audit::copy_checkpoints(&test.app).await.is_err());
    // Signing goes on meanwhile.
    let next = signed(&test).await;
    assert!(next.size > checkpoint.size);
    fs::remove_file(&root).unwrap();
    fs::rename(&away, &root).unwrap();
    assert_eq!(audit::copy_checkpoints(&test.app).await.unwrap(), 2);
}

async fn case_50_another_checkpoint_of_the_same_size_is_refused_and_the_rest_goes_on(
    backend: Backend,
) {
    let test = TestApp::start(backend).await;
    let (first, second) = (signed(&test).await, signed(&test).await);
    // The copy of a log that was rewritten since, or a forged copy: either way they disagree.
    fs::create_dir_all(copies(&test)).unwrap();
    let place = copies(&test).join(first.size.to_string());
    fs::write(&place, "another note").unwrap();
    assert_eq!(audit::copy_checkpoints(&test.app).await.unwrap(), 1);
    assert_eq!(fs::read_to_string(&place).unwrap(), "another note");
    assert!(copies(&test).join(second.size.to_string()).exists());
    // It is not forgotten.
    let mut conn = test.database.db.read().await.unwrap();
    let waiting = store::audit_copy_list(&mut conn, None, 10).await.unwrap();
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0].size, first.size);
}

async fn the_loop_copies_and_stops(backend: Backend) {
    let test = TestApp::start(backend).await;
    let checkpoint = signed(&test).await;
    let stop = CancellationToken::new();
    let copying = tokio::spawn(audit::copy_until(test.app.clone(), stop.clone()));
    let place = copies(&test).join(checkpoint.size.to_string());
    let copied = async {
        while !place.exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), copied)
        .await
        .unwrap();
    stop.cancel();
    let stopped = tokio::time::timeout(Duration::from_mins(1), copying).await;
    stopped.unwrap().unwrap();
}
