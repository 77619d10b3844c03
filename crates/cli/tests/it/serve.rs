//! `serve` and `worker`: they make nothing up, and say what is missing.

use domain::role::Role;
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

use crate::{api::Api, transcript::Transcript, with_secrets, workspace};

#[tokio::test]
async fn without_secrets_it_lists_every_missing_one() {
    let workspace = workspace();
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["serve"]).await;
    transcript.check("serve_without_secrets");
}

#[tokio::test]
async fn without_a_schema_it_does_not_start() {
    let workspace = with_secrets(workspace());
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["serve"]).await;
    let database = TestDatabase::create_empty(Backend::Sqlite).await;
    let workspace = with_secrets(crate::workspace()).env("PROLIFERATE_DATABASE_URL", &database.url);
    let finished = workspace.run(&["serve"]).await;
    transcript.add(&["serve"], &finished);
    let finished = workspace.run(&["worker"]).await;
    transcript.add(&["worker"], &finished);
    transcript.check("serve_without_schema");
}

#[tokio::test]
async fn postgres_is_migrated_by_command_alone() {
    let database = TestDatabase::create_empty(Backend::Postgres).await;
    let workspace = with_secrets(workspace()).env("PROLIFERATE_DATABASE_URL", &database.url);
    let refused = workspace.run(&["serve"]).await;
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(refused.stderr.contains("`proliferate migrate`"));
    assert_eq!(workspace.run(&["migrate", "--check"]).await.code, Some(1));
    workspace.output(&["migrate"]).await;
    assert_eq!(workspace.run(&["migrate", "--check"]).await.code, Some(0));

    let fixture = Fixture::default();
    fixture
        .organization(&database.db, "acme", Role::Member)
        .await;
    let token = workspace
        .output(&["token", "mint", "user", "user_acme_member"])
        .await;
    let (mut serve, url) = workspace.serve(&["--with-worker"]).await;
    let (status, me) = Api::new(&url, &token).get("/v1/me").await;
    assert_eq!(
        (status, me["organizationId"].as_str()),
        (200, Some("org_acme"))
    );
    let mut worker = workspace.spawn(&["worker"]);
    serve.terminate();
    assert_eq!(serve.wait().await.code(), Some(0));
    worker.says("\"working\"").await;
    worker.interrupt();
    assert_eq!(worker.wait().await.code(), Some(0));
}
