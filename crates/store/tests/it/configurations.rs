//! Configurations with their repositories, and the two kinds of which one exists per place.

use domain::{
    configuration::{
        ConfigurationRepo, ConfigurationType, EnvFile, EnvFileKey, ServiceCommand, managed_key,
    },
    page::PageRequest,
    role::Role,
};
use store::{ConfigurationPatch, Error};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    a_configuration_reads_back_with_its_repos,
    one_managed_configuration_per_set_of_repos,
    a_used_configuration_cannot_be_deleted,
    two_repos_of_one_name_conflict,
);

async fn a_configuration_reads_back_with_its_repos(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, user) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let (web, api) = (
        fixture.repo(&org, "acme/web"),
        fixture.repo(&org, "acme/api"),
    );
    let mut configuration = fixture.configuration(&org);
    configuration.created_by = Some(user);
    configuration.budget_micro_usd = Some(5_000_000);
    configuration.service_commands = vec![ServiceCommand {
        name: "web".into(),
        command: "npm start".into(),
        cwd: None,
        workspace_path: Some("web".into()),
    }];
    configuration.env_files = vec![EnvFile {
        workspace_path: ".".into(),
        path: ".env".into(),
        keys: vec![EnvFileKey {
            key: "A".into(),
            required: false,
        }],
    }];
    configuration.repos = vec![
        ConfigurationRepo {
            repo_id: api.id,
            workspace_path: "api".into(),
        },
        ConfigurationRepo {
            repo_id: web.id,
            workspace_path: "web".into(),
        },
    ];
    let mut tx = test.db.write().await.unwrap();
    store::repo_insert(&mut tx, &web).await.unwrap();
    store::repo_insert(&mut tx, &api).await.unwrap();
    assert!(
        store::configuration_insert(&mut tx, &configuration)
            .await
            .unwrap()
    );
    let empty = fixture.configuration(&org);
    assert!(store::configuration_insert(&mut tx, &empty).await.unwrap());

    let found = store::configuration_fetch(&mut tx, &org, configuration.id)
        .await
        .unwrap();
    assert_eq!(found.as_ref(), Some(&configuration));
    let page = PageRequest::new(None, None).unwrap();
    let mut listed = store::configuration_list(&mut tx, &org, page)
        .await
        .unwrap()
        .items;
    listed.sort_by_key(|c| c.repos.len());
    assert_eq!(listed, [empty, configuration.clone()]);

    configuration.name = "renamed".into();
    configuration.budget_micro_usd = None;
    configuration.repos.truncate(1);
    let repos = configuration.repos.clone();
    let patch = ConfigurationPatch {
        configuration: &configuration,
        repos: Some(&repos),
    };
    assert!(store::configuration_update(&mut tx, patch).await.unwrap());
    let found = store::configuration_fetch(&mut tx, &org, configuration.id)
        .await
        .unwrap();
    assert_eq!(found, Some(configuration));
}

async fn one_managed_configuration_per_set_of_repos(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let repo = fixture.repo(&org, "web");
    let managed = || {
        let mut configuration = fixture.configuration(&org);
        configuration.configuration_type = ConfigurationType::Managed;
        configuration.managed_key = Some(managed_key(&[repo.id]));
        configuration
    };
    let mut tx = test.db.write().await.unwrap();
    store::repo_insert(&mut tx, &repo).await.unwrap();
    let first = managed();
    assert!(store::configuration_insert(&mut tx, &first).await.unwrap());
    assert!(
        !store::configuration_insert(&mut tx, &managed())
            .await
            .unwrap()
    );
    let key = managed_key(&[repo.id]);
    let found = store::configuration_fetch_managed(&mut tx, &org, &key)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found.id, first.id);
}

async fn a_used_configuration_cannot_be_deleted(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let (used, unused) = (fixture.configuration(&org), fixture.configuration(&org));
    let mut session = fixture.session(&org);
    session.configuration_id = Some(used.id);
    let mut tx = test.db.write().await.unwrap();
    store::configuration_insert(&mut tx, &used).await.unwrap();
    store::configuration_insert(&mut tx, &unused).await.unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    assert!(
        !store::configuration_delete_unused(&mut tx, &org, used.id)
            .await
            .unwrap()
    );
    assert!(
        store::configuration_delete_unused(&mut tx, &org, unused.id)
            .await
            .unwrap()
    );
    assert!(
        store::configuration_fetch(&mut tx, &org, used.id)
            .await
            .unwrap()
            .is_some()
    );
}

async fn two_repos_of_one_name_conflict(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let mut tx = test.db.write().await.unwrap();
    store::repo_insert(&mut tx, &fixture.repo(&org, "web"))
        .await
        .unwrap();
    let outcome = store::repo_insert(&mut tx, &fixture.repo(&org, "web")).await;
    assert!(
        matches!(outcome, Err(Error::Conflict { .. })),
        "{outcome:?}"
    );
}
