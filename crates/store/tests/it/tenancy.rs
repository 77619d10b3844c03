//! Nothing crosses organizations, whatever the code above asks for.

use domain::{
    configuration::ConfigurationRepo, page::PageRequest, role::Role, secret::SecretScope,
    sharing::SessionViewer,
};
use store::{Error, SessionFilter};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};
use uuid::Uuid;

testkit::on_both_databases!(
    foreign_ids_are_not_found,
    rows_cannot_refer_to_another_organization,
);

async fn foreign_ids_are_not_found(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let (other, _) = fixture.organization(&test.db, "other", Role::Owner).await;
    let session = fixture.session(&acme);
    let repo = fixture.repo(&acme, "web");
    let configuration = fixture.configuration(&acme);
    let integration = fixture.integration(&acme);
    let secret = fixture.secret(&acme, SecretScope::Organization, "KEY");
    let mut tx = test.db.write().await.unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    store::repo_insert(&mut tx, &repo).await.unwrap();
    store::configuration_insert(&mut tx, &configuration)
        .await
        .unwrap();
    store::integration_insert(&mut tx, &integration)
        .await
        .unwrap();
    store::secret_insert(&mut tx, &secret).await.unwrap();
    tx.commit().await.unwrap();

    let mut tx = test.db.write().await.unwrap();
    assert_eq!(
        store::session_fetch(&mut tx, &other, session.id)
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        store::repo_fetch(&mut tx, &other, repo.id).await.unwrap(),
        None
    );
    assert_eq!(
        store::configuration_fetch(&mut tx, &other, configuration.id)
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        store::integration_fetch(&mut tx, &other, integration.integration.id)
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        store::secret_fetch(&mut tx, &other, secret.secret.id)
            .await
            .unwrap(),
        None
    );
    let page = PageRequest::new(None, None).unwrap();
    let sessions = store::session_list(
        &mut tx,
        &other,
        SessionViewer::All,
        &SessionFilter::default(),
        page,
    )
    .await
    .unwrap();
    assert!(sessions.items.is_empty());
    assert!(
        store::session_set_title(&mut tx, &other, session.id, Some("x"), fixture.now())
            .await
            .unwrap()
            .is_none()
    );
    assert!(!store::repo_delete(&mut tx, &other, repo.id).await.unwrap());
    assert!(
        !store::secret_delete(&mut tx, &other, secret.secret.id)
            .await
            .unwrap()
    );
    assert!(
        !store::integration_delete(&mut tx, &other, integration.integration.id)
            .await
            .unwrap()
    );
    assert!(
        !store::configuration_delete_unused(&mut tx, &other, configuration.id)
            .await
            .unwrap()
    );
    let for_session = store::secret_list_sealed_for_session(&mut tx, &other, session.id)
        .await
        .unwrap();
    assert!(for_session.is_empty());
}

async fn rows_cannot_refer_to_another_organization(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let (other, _) = fixture.organization(&test.db, "other", Role::Owner).await;
    let (repo, configuration) = (fixture.repo(&acme, "web"), fixture.configuration(&acme));
    let (integration, session) = (fixture.integration(&acme), fixture.session(&acme));
    let theirs = fixture.session(&other);
    let mut tx = test.db.write().await.unwrap();
    store::repo_insert(&mut tx, &repo).await.unwrap();
    store::configuration_insert(&mut tx, &configuration)
        .await
        .unwrap();
    store::integration_insert(&mut tx, &integration)
        .await
        .unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    store::session_insert(&mut tx, &theirs).await.unwrap();
    tx.commit().await.unwrap();

    let mut of_our_configuration = fixture.session(&other);
    of_our_configuration.configuration_id = Some(configuration.id);
    let mut tx = test.db.write().await.unwrap();
    let outcome = store::session_insert(&mut tx, &of_our_configuration).await;
    assert!(
        matches!(outcome, Err(Error::MissingReference)),
        "{outcome:?}"
    );
    drop(tx);

    let mut tx = test.db.write().await.unwrap();
    let (id, now) = (Uuid::nil(), fixture.now());
    let outcome = store::session_connection_insert(
        &mut tx,
        id,
        &other,
        theirs.id,
        integration.integration.id,
        now,
    )
    .await;
    assert!(
        matches!(outcome, Err(Error::MissingReference)),
        "{outcome:?}"
    );
    drop(tx);

    let mut tx = test.db.write().await.unwrap();
    let secret = fixture.secret(&other, SecretScope::Repo(repo.id), "KEY");
    let outcome = store::secret_insert(&mut tx, &secret).await;
    assert!(
        matches!(outcome, Err(Error::MissingReference)),
        "{outcome:?}"
    );
    drop(tx);

    let mut tx = test.db.write().await.unwrap();
    let mut with_our_repo = fixture.configuration(&other);
    with_our_repo.repos = vec![ConfigurationRepo {
        repo_id: repo.id,
        workspace_path: ".".into(),
    }];
    let outcome = store::configuration_insert(&mut tx, &with_our_repo).await;
    assert!(
        matches!(outcome, Err(Error::MissingReference)),
        "{outcome:?}"
    );
}
