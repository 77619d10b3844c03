//! Secrets: one per key and scope, and exactly those that apply to a session.

use domain::{
    configuration::ConfigurationRepo, page::PageRequest, role::Role, secret::SecretScope,
    sharing::SessionViewer,
};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    a_key_is_unique_within_its_scope,
    a_session_gets_what_applies_to_it_and_nothing_else,
    updates_keep_the_value_unless_a_new_one_is_given,
    lists_can_be_narrowed_to_a_scope,
);

async fn a_key_is_unique_within_its_scope(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let (repo, session) = (fixture.repo(&org, "web"), fixture.session(&org));
    let mut tx = test.db.write().await.unwrap();
    store::repo_insert(&mut tx, &repo).await.unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    let scopes = [
        SecretScope::Organization,
        SecretScope::Repo(repo.id),
        SecretScope::Session(session.id),
    ];
    for scope in scopes {
        assert!(
            store::secret_insert(&mut tx, &fixture.secret(&org, scope, "KEY"))
                .await
                .unwrap()
        );
        assert!(
            !store::secret_insert(&mut tx, &fixture.secret(&org, scope, "KEY"))
                .await
                .unwrap(),
            "{scope:?}"
        );
        assert!(
            store::secret_fetch_key(&mut tx, &org, scope, "KEY")
                .await
                .unwrap()
                .is_some()
        );
        assert!(
            store::secret_fetch_key(&mut tx, &org, scope, "OTHER")
                .await
                .unwrap()
                .is_none()
        );
    }
    assert_eq!(
        store::secret_count(&mut tx, &org).await.unwrap(),
        2,
        "a session's own do not count"
    );
}

async fn a_session_gets_what_applies_to_it_and_nothing_else(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let (repo, stranger_repo) = (fixture.repo(&org, "web"), fixture.repo(&org, "docs"));
    let mut configuration = fixture.configuration(&org);
    configuration.repos = vec![ConfigurationRepo {
        repo_id: repo.id,
        workspace_path: ".".into(),
    }];
    let stranger_configuration = fixture.configuration(&org);
    let mut session = fixture.session(&org);
    session.configuration_id = Some(configuration.id);
    let (scratch, stranger) = (fixture.session(&org), fixture.session(&org));

    let mut tx = test.db.write().await.unwrap();
    store::repo_insert(&mut tx, &repo).await.unwrap();
    store::repo_insert(&mut tx, &stranger_repo).await.unwrap();
    store::configuration_insert(&mut tx, &configuration)
        .await
        .unwrap();
    store::configuration_insert(&mut tx, &stranger_configuration)
        .await
        .unwrap();
    for session in [&session, &scratch, &stranger] {
        store::session_insert(&mut tx, session).await.unwrap();
    }
    let scopes = [
        (SecretScope::Organization, "ORG"),
        (SecretScope::Repo(repo.id), "REPO"),
        (
            SecretScope::Configuration(configuration.id),
            "CONFIGURATION",
        ),
        (SecretScope::Session(session.id), "SESSION"),
        (SecretScope::Repo(stranger_repo.id), "STRANGE_REPO"),
        (
            SecretScope::Configuration(stranger_configuration.id),
            "STRANGE_CONFIGURATION",
        ),
        (SecretScope::Session(stranger.id), "STRANGE_SESSION"),
    ];
    for (scope, key) in scopes {
        assert!(
            store::secret_insert(&mut tx, &fixture.secret(&org, scope, key))
                .await
                .unwrap()
        );
    }
    tx.commit().await.unwrap();

    let mut conn = test.db.read().await.unwrap();
    let found = store::secret_list_sealed_for_session(&mut conn, &org, session.id)
        .await
        .unwrap();
    let mut keys: Vec<_> = found
        .iter()
        .map(|sealed| sealed.secret.key.as_str())
        .collect();
    keys.sort_unstable();
    assert_eq!(keys, ["CONFIGURATION", "ORG", "REPO", "SESSION"]);
    assert!(
        found
            .iter()
            .all(|s| s.sealed_value == format!("sealed {}", s.secret.key))
    );
    let for_scratch = store::secret_list_sealed_for_session(&mut conn, &org, scratch.id)
        .await
        .unwrap();
    assert_eq!(for_scratch.len(), 1);
}

async fn updates_keep_the_value_unless_a_new_one_is_given(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let session = fixture.session(&org);
    let mut sealed = fixture.secret(&org, SecretScope::Organization, "KEY");
    let mut tx = test.db.write().await.unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    store::secret_insert(&mut tx, &sealed).await.unwrap();
    sealed.secret.description = Some("why".into());
    assert!(
        store::secret_update(&mut tx, &sealed.secret, None)
            .await
            .unwrap()
    );
    let found = store::secret_list_sealed_for_session(&mut tx, &org, session.id)
        .await
        .unwrap();
    assert_eq!(found[0].sealed_value, "sealed KEY");
    assert_eq!(found[0].secret, sealed.secret);
    assert!(
        store::secret_update(&mut tx, &sealed.secret, Some("new"))
            .await
            .unwrap()
    );
    let found = store::secret_list_sealed_for_session(&mut tx, &org, session.id)
        .await
        .unwrap();
    assert_eq!(found[0].sealed_value, "new");
    assert!(
        store::secret_delete(&mut tx, &org, sealed.secret.id)
            .await
            .unwrap()
    );
    assert!(
        !store::secret_update(&mut tx, &sealed.secret, None)
            .await
            .unwrap()
    );
}

async fn lists_can_be_narrowed_to_a_scope(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let session = fixture.session(&org);
    let mut tx = test.db.write().await.unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    let mine = SecretScope::Session(session.id);
    store::secret_insert(
        &mut tx,
        &fixture.secret(&org, SecretScope::Organization, "A"),
    )
    .await
    .unwrap();
    store::secret_insert(&mut tx, &fixture.secret(&org, mine, "B"))
        .await
        .unwrap();
    let page = PageRequest::new(None, None).unwrap();
    assert_eq!(
        store::secret_list(&mut tx, &org, SessionViewer::All, None, page)
            .await
            .unwrap()
            .items
            .len(),
        2
    );
    let narrowed = store::secret_list(&mut tx, &org, SessionViewer::All, Some(mine), page)
        .await
        .unwrap();
    assert_eq!(narrowed.items[0].key, "B");
    assert_eq!(narrowed.items.len(), 1);
}
