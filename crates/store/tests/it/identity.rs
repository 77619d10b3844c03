//! Memberships and API keys.

use std::time::Duration;

use domain::{api_key::ApiKey, id::ApiKeyId, page::PageRequest, role::Role};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    the_first_membership_is_the_one_joined_first,
    an_api_key_is_found_by_its_hash_and_revoked_once,
    a_key_dies_with_the_membership,
);

async fn the_first_membership_is_the_one_joined_first(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (first, user) = fixture.organization(&test.db, "zeta", Role::Member).await;
    fixture.clock.advance(Duration::from_secs(1));
    let (second, _) = fixture.organization(&test.db, "alpha", Role::Owner).await;
    let mut tx = test.db.write().await.unwrap();
    tx.member_upsert(&second, &user, Role::Admin, fixture.now())
        .await
        .unwrap();
    let member = tx.member_fetch_first(&user).await.unwrap().unwrap();
    assert_eq!(
        (member.organization_id, member.role),
        (first.clone(), Role::Member)
    );
    assert_eq!(
        tx.member_fetch(&second, &user).await.unwrap().unwrap().role,
        Role::Admin
    );
    tx.member_upsert(&second, &user, Role::Member, fixture.now())
        .await
        .unwrap();
    assert_eq!(
        tx.member_fetch(&second, &user).await.unwrap().unwrap().role,
        Role::Member
    );
    assert!(tx.member_delete(&first, &user).await.unwrap());
    assert!(!tx.member_delete(&first, &user).await.unwrap());
    assert_eq!(
        tx.member_fetch_first(&user)
            .await
            .unwrap()
            .unwrap()
            .organization_id,
        second
    );
}

async fn an_api_key_is_found_by_its_hash_and_revoked_once(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, user) = fixture.organization(&test.db, "acme", Role::Member).await;
    let now = fixture.now();
    let key = ApiKey {
        id: ApiKeyId::generate(now, &fixture.entropy),
        organization_id: org.clone(),
        user_id: user.clone(),
        name: "laptop".into(),
        prefix: "pk_12345678".into(),
        created_at: now,
        expires_at: Some(now.plus(Duration::from_mins(1))),
        revoked_at: None,
    };
    let mut tx = test.db.write().await.unwrap();
    tx.api_key_insert(&key, "hash").await.unwrap();
    assert_eq!(
        tx.api_key_fetch_by_hash("hash").await.unwrap(),
        Some(key.clone())
    );
    assert_eq!(tx.api_key_fetch_by_hash("other").await.unwrap(), None);
    assert_eq!(tx.api_key_count_live(&org, &user, now).await.unwrap(), 1);
    let expired = now.plus(Duration::from_secs(61));
    assert_eq!(
        tx.api_key_count_live(&org, &user, expired).await.unwrap(),
        0
    );
    let revoked = tx.api_key_revoke(&org, key.id, now).await.unwrap().unwrap();
    assert_eq!(revoked.revoked_at, Some(now));
    assert_eq!(tx.api_key_revoke(&org, key.id, now).await.unwrap(), None);
    let page = PageRequest::new(None, None).unwrap();
    assert_eq!(
        tx.api_key_list(&org, Some(&user), page)
            .await
            .unwrap()
            .items,
        [revoked]
    );
}

async fn a_key_dies_with_the_membership(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, user) = fixture.organization(&test.db, "acme", Role::Member).await;
    let now = fixture.now();
    let key = ApiKey {
        id: ApiKeyId::generate(now, &fixture.entropy),
        organization_id: org.clone(),
        user_id: user.clone(),
        name: "laptop".into(),
        prefix: "pk_12345678".into(),
        created_at: now,
        expires_at: None,
        revoked_at: None,
    };
    let mut tx = test.db.write().await.unwrap();
    tx.api_key_insert(&key, "hash").await.unwrap();
    tx.member_delete(&org, &user).await.unwrap();
    assert_eq!(tx.api_key_fetch_by_hash("hash").await.unwrap(), None);
}
