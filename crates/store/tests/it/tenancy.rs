//! Nothing crosses organizations, whatever the code above asks for.

use domain::{
    configuration::ConfigurationRepo, page::PageRequest, role::Role, secret::SecretScope,
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
    tx.session_insert(&session).await.unwrap();
    tx.repo_insert(&repo).await.unwrap();
    tx.configuration_insert(&configuration).await.unwrap();
    tx.integration_insert(&integration).await.unwrap();
    tx.secret_insert(&secret).await.unwrap();
    tx.commit().await.unwrap();

    let mut tx = test.db.write().await.unwrap();
    assert_eq!(tx.session_fetch(&other, session.id).await.unwrap(), None);
    assert_eq!(tx.repo_fetch(&other, repo.id).await.unwrap(), None);
    assert_eq!(
        tx.configuration_fetch(&other, configuration.id)
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        tx.integration_fetch(&other, integration.integration.id)
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        tx.secret_fetch(&other, secret.secret.id).await.unwrap(),
        None
    );
    let page = PageRequest::new(None, None).unwrap();
    let sessions = tx
        .session_list(&other, &SessionFilter::default(), page)
        .await
        .unwrap();
    assert!(sessions.items.is_empty());
    assert!(
        tx.session_set_title(&other, session.id, Some("x"), fixture.now())
            .await
            .unwrap()
            .is_none()
    );
    assert!(!tx.repo_delete(&other, repo.id).await.unwrap());
    assert!(!tx.secret_delete(&other, secret.secret.id).await.unwrap());
    assert!(
        !tx.integration_delete(&other, integration.integration.id)
            .await
            .unwrap()
    );
    assert!(
        !tx.configuration_delete_unused(&other, configuration.id)
            .await
            .unwrap()
    );
    let for_session = tx
        .secret_list_sealed_for_session(&other, session.id)
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
    tx.repo_insert(&repo).await.unwrap();
    tx.configuration_insert(&configuration).await.unwrap();
    tx.integration_insert(&integration).await.unwrap();
    tx.session_insert(&session).await.unwrap();
    tx.session_insert(&theirs).await.unwrap();
    tx.commit().await.unwrap();

    let mut of_our_configuration = fixture.session(&other);
    of_our_configuration.configuration_id = Some(configuration.id);
    let mut tx = test.db.write().await.unwrap();
    let outcome = tx.session_insert(&of_our_configuration).await;
    assert!(
        matches!(outcome, Err(Error::MissingReference)),
        "{outcome:?}"
    );
    drop(tx);

    let mut tx = test.db.write().await.unwrap();
    let (id, now) = (Uuid::nil(), fixture.now());
    let outcome = tx
        .session_connection_insert(id, &other, theirs.id, integration.integration.id, now)
        .await;
    assert!(
        matches!(outcome, Err(Error::MissingReference)),
        "{outcome:?}"
    );
    drop(tx);

    let mut tx = test.db.write().await.unwrap();
    let secret = fixture.secret(&other, SecretScope::Repo(repo.id), "KEY");
    let outcome = tx.secret_insert(&secret).await;
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
    let outcome = tx.configuration_insert(&with_our_repo).await;
    assert!(
        matches!(outcome, Err(Error::MissingReference)),
        "{outcome:?}"
    );
}
