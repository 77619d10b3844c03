//! Renewing credentials: one claim at a time, and no write that overtakes another.

use std::time::Duration;

use domain::{
    integration::{ConnectAttempt, IntegrationStatus},
    role::Role,
};
use store::{Error, SealedAttempt};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};
use uuid::Uuid;

testkit::on_both_databases!(
    a_claim_excludes_until_it_runs_out,
    what_was_renewed_late_is_kept_and_what_was_replaced_is_not,
    an_attempt_is_taken_once_by_its_browser,
);

async fn a_claim_excludes_until_it_runs_out(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let found = fixture.integration(&org);
    let (id, now) = (found.integration.id, fixture.now());
    let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let (soon, later) = (
        now.plus(Duration::from_secs(30)),
        now.plus(Duration::from_mins(1)),
    );
    let mut tx = test.db.write().await.unwrap();
    store::integration_insert(&mut tx, &found).await.unwrap();
    assert!(
        store::integration_claim(&mut tx, &found, one, soon, now)
            .await
            .unwrap()
    );
    assert!(
        !store::integration_claim(&mut tx, &found, two, soon, now)
            .await
            .unwrap()
    );
    let renewing = store::integration_fetch_renewing(&mut tx, &org, id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((renewing.by, renewing.until), (Some(one), Some(soon)));
    assert!(
        store::integration_claim(&mut tx, &found, two, later, soon)
            .await
            .unwrap()
    );
    // Who lost the claim does not give back another's; who has it leaves a pause.
    assert!(
        !store::integration_release(&mut tx, &org, id, one, now)
            .await
            .unwrap()
    );
    assert!(
        store::integration_release(&mut tx, &org, id, two, later)
            .await
            .unwrap()
    );
    assert!(
        !store::integration_claim(&mut tx, &found, one, later, soon)
            .await
            .unwrap()
    );
    let mut other = found.clone();
    "v1.other".clone_into(&mut other.sealed_credentials);
    assert!(
        !store::integration_claim(&mut tx, &other, one, later, later)
            .await
            .unwrap()
    );
    assert!(
        store::integration_claim(&mut tx, &found, one, later, later)
            .await
            .unwrap()
    );
}

async fn what_was_renewed_late_is_kept_and_what_was_replaced_is_not(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let (foreign, _) = fixture.organization(&test.db, "other", Role::Owner).await;
    let found = fixture.integration(&org);
    let (id, now, old) = (
        found.integration.id,
        fixture.now(),
        &found.sealed_credentials,
    );
    let mut tx = test.db.write().await.unwrap();
    store::integration_insert(&mut tx, &found).await.unwrap();
    assert!(
        !store::integration_expire(&mut tx, &foreign, id, old, now)
            .await
            .unwrap()
    );
    assert!(
        !store::integration_expire(&mut tx, &org, id, "v1.other", now)
            .await
            .unwrap()
    );
    assert!(
        store::integration_expire(&mut tx, &org, id, old, now)
            .await
            .unwrap()
    );
    assert!(
        !store::integration_expire(&mut tx, &org, id, old, now)
            .await
            .unwrap()
    );
    // The slow renewal has the only valid token.
    assert!(
        store::integration_renew(&mut tx, &found, "v1.new", now)
            .await
            .unwrap()
    );
    let stored = store::integration_fetch_sealed(&mut tx, &org, id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(stored.integration.status, IntegrationStatus::Active);
    assert_eq!(stored.sealed_credentials, "v1.new");
    assert!(
        !store::integration_renew(&mut tx, &found, "v1.newer", now)
            .await
            .unwrap()
    );
    // A suspended one stays so.
    let mut suspended = stored.integration.clone();
    suspended.status = IntegrationStatus::Suspended;
    store::integration_update(&mut tx, &suspended, None)
        .await
        .unwrap();
    assert!(
        store::integration_renew(&mut tx, &stored, "v1.newest", now)
            .await
            .unwrap()
    );
    let stored = store::integration_fetch(&mut tx, &org, id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(stored.status, IntegrationStatus::Suspended);
}

async fn an_attempt_is_taken_once_by_its_browser(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, user_id) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let (foreign, _) = fixture.organization(&test.db, "other", Role::Owner).await;
    let theirs = fixture.integration(&foreign);
    let now = fixture.now();
    let attempt = ConnectAttempt {
        organization_id: org.clone(),
        user_id,
        service: "github".to_owned(),
        redirect_uri: "https://gateway.example/back".to_owned(),
        integration_id: None,
        installation_id: Some(4711),
        created_at: now,
        expires_at: now.plus(Duration::from_mins(10)),
    };
    let mut sealed = SealedAttempt {
        attempt: attempt.clone(),
        sealed_verifier: "v1.sealed".to_owned(),
    };
    let mut tx = test.db.write().await.unwrap();
    store::integration_insert(&mut tx, &theirs).await.unwrap();
    store::connect_attempt_insert(&mut tx, "state", "browser", &sealed)
        .await
        .unwrap();
    assert!(
        store::connect_attempt_take(&mut tx, "state", "other")
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        store::connect_attempt_take(&mut tx, "other", "browser")
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(
        store::connect_attempt_count(&mut tx, &org).await.unwrap(),
        1
    );
    let taken = store::connect_attempt_take(&mut tx, "state", "browser")
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (taken.attempt, taken.sealed_verifier.as_str()),
        (attempt, "v1.sealed")
    );
    assert!(
        store::connect_attempt_take(&mut tx, "state", "browser")
            .await
            .unwrap()
            .is_none()
    );
    store::connect_attempt_insert(&mut tx, "state", "browser", &sealed)
        .await
        .unwrap();
    let end = sealed.attempt.expires_at;
    for (organization_id, at, deleted) in [(&org, now, 0), (&foreign, end, 0), (&org, end, 1)] {
        let count = store::connect_attempt_delete_expired(&mut tx, organization_id, at)
            .await
            .unwrap();
        assert_eq!(count, deleted);
    }
    tx.commit().await.unwrap();
    // An attempt cannot renew a connection of another organization.
    let mut tx = test.db.write().await.unwrap();
    sealed.attempt.integration_id = Some(theirs.integration.id);
    let crossed = store::connect_attempt_insert(&mut tx, "state", "browser", &sealed).await;
    assert!(
        matches!(crossed, Err(Error::MissingReference)),
        "{crossed:?}"
    );
}
