//! The one exception to the append-only log: the purge of an organization whose log was exported.

use domain::{id::OrganizationId, organization::OrganizationState, role::Role};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

use crate::audit::{a_log_of_one, organization};

testkit::on_both_databases!(a_log_is_removed_only_after_its_export);

async fn log_rows(test: &TestDatabase, id: &OrganizationId) -> usize {
    let mut conn = test.db.read().await.unwrap();
    store::audit_record_list(&mut conn, id, 0, 10)
        .await
        .unwrap()
        .len()
}

/// Whether the log was removed.
async fn removed(test: &TestDatabase, id: &OrganizationId) -> bool {
    let mut tx = test.db.write().await.unwrap();
    loop {
        match store::organization_purge_log(&mut tx, id, 100).await {
            Ok(0) => break,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    tx.commit().await.unwrap();
    true
}

async fn set(test: &TestDatabase, id: &OrganizationId, state: &OrganizationState) {
    let mut tx = test.db.write().await.unwrap();
    store::organization_state_set(&mut tx, id, state)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

async fn exported(test: &TestDatabase, id: &OrganizationId, size: i64) -> bool {
    let mut tx = test.db.write().await.unwrap();
    let set = store::organization_exported_set(&mut tx, id, size)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    set
}

async fn a_log_is_removed_only_after_its_export(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let (other, _) = fixture.organization(&test.db, "other", Role::Owner).await;
    let now = fixture.now();
    for id in [&acme, &other] {
        a_log_of_one(&test, &fixture, id).await;
    }
    assert!(!removed(&test, &acme).await, "it is active");
    let deleting = OrganizationState::Active.begin_deletion(now);
    set(&test, &acme, &deleting).await;
    assert!(!exported(&test, &acme, 1).await, "no purge has begun");
    assert!(!removed(&test, &acme).await, "it is only being deleted");
    let purging = deleting.begin_purge(now, true).unwrap();
    set(&test, &acme, &purging).await;
    assert!(!removed(&test, &acme).await, "it was not exported");
    // At a size that no checkpoint signs, and at one that leaves the event out.
    for size in [2, 0] {
        assert!(exported(&test, &acme, size).await);
        assert!(!removed(&test, &acme).await, "exported at {size}");
    }
    assert_eq!(log_rows(&test, &acme).await, 1);
    let mut tx = test.db.write().await.unwrap();
    assert!(
        !store::organization_purge_end(&mut tx, &acme).await.unwrap(),
        "its log is there"
    );
    drop(tx);

    assert!(exported(&test, &acme, 1).await);
    assert!(
        !removed(&test, &other).await,
        "another organization's stays"
    );
    let refused = test.try_execute("UPDATE audit_ledger SET leaf = 'x'").await;
    assert!(refused.is_err(), "nothing is changed");
    assert!(removed(&test, &acme).await);
    let mut tx = test.db.write().await.unwrap();
    assert!(store::organization_purge_end(&mut tx, &acme).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(
        (log_rows(&test, &acme).await, log_rows(&test, &other).await),
        (0, 1)
    );
    let mut conn = test.db.read().await.unwrap();
    assert!(
        store::organization_fetch(&mut conn, &acme)
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        store::audit_checkpoint_last(&mut conn, &acme)
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        store::audit_checkpoint_last(&mut conn, &organization("org_other"))
            .await
            .unwrap()
            .is_some()
    );
}
