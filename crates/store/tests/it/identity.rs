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
    store::member_upsert(&mut tx, &second, &user, Role::Admin, fixture.now())
        .await
        .unwrap();
    let member = store::member_fetch_first(&mut tx, &user)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (member.organization_id, member.role),
        (first.clone(), Role::Member)
    );
    assert_eq!(
        store::member_fetch(&mut tx, &second, &user)
            .await
            .unwrap()
            .unwrap()
            .role,
        Role::Admin
    );
    store::member_upsert(&mut tx, &second, &user, Role::Member, fixture.now())
        .await
        .unwrap();
    assert_eq!(
        store::member_fetch(&mut tx, &second, &user)
            .await
            .unwrap()
            .unwrap()
            .role,
        Role::Member
    );
    assert!(store::member_delete(&mut tx, &first, &user).await.unwrap());
    assert!(!store::member_delete(&mut tx, &first, &user).await.unwrap());
    assert_eq!(
        store::member_fetch_first(&mut tx, &user)
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
    store::api_key_insert(&mut tx, &key, "hash").await.unwrap();
    assert_eq!(
        store::api_key_fetch_by_hash(&mut tx, "hash").await.unwrap(),
        Some(key.clone())
    );
    assert_eq!(
        store::api_key_fetch_by_hash(&mut tx, "other")
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        store::api_key_count_live(&mut tx, &org, &user, now)
            .await
            .unwrap(),
        1
    );
    let expired = now.plus(Duration::from_secs(61));
    assert_eq!(
        store::api_key_count_live(&mut tx, &org, &user, expired)
            .await
            .unwrap(),
        0
    );
    let revoked = store::api_key_revoke(&mut tx, &org, key.id, now)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(revoked.revoked_at, Some(now));
    assert_eq!(
        store::api_key_revoke(&mut tx, &org, key.id, now)
            .await
            .unwrap(),
        None
    );
    let page = PageRequest::new(None, None).unwrap();
    assert_eq!(
        store::api_key_list(&mut tx, &org, Some(&user), page)
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
    store::api_key_insert(&mut tx, &key, "hash").await.unwrap();
    store::member_delete(&mut tx, &org, &user).await.unwrap();
    assert_eq!(
        store::api_key_fetch_by_hash(&mut tx, "hash").await.unwrap(),
        None
    );
}
