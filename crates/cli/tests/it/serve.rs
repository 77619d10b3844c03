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

/// What a newer binary records in the database when it migrates it.
fn newer_migration(kind: &str, oldest_binary: &str) -> String {
    format!(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
            SELECT MAX(version) + 1, 'newer', TRUE, 'x', 0 FROM _sqlx_migrations;
        INSERT INTO schema_compatibility (version, kind, oldest_binary)
            SELECT MAX(version) + 1, '{kind}', {oldest_binary} FROM schema_compatibility;"
    )
}

#[tokio::test]
async fn a_newer_schema_is_served_until_it_excludes_this_binary() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let workspace = with_secrets(workspace()).env("PROLIFERATE_DATABASE_URL", &database.url);
    let compatible = newer_migration("expand", "MAX(version)");
    database.execute(&compatible).await;
    for arguments in [&["migrate"][..], &["migrate", "--check"]] {
        let output = workspace.output(arguments).await;
        assert!(output.contains("and compatible with it"), "{output}");
    }
    let (mut serve, _) = workspace.serve(&[]).await;
    serve.terminate();
    assert_eq!(serve.wait().await.code(), Some(0));

    let excluding = newer_migration("contract", "MAX(version) + 1");
    database.execute(&excluding).await;
    for arguments in [
        &["migrate"][..],
        &["migrate", "--check"],
        &["serve"],
        &["worker"],
    ] {
        let refused = workspace.run(arguments).await;
        assert_eq!(refused.code, Some(1), "{arguments:?}: {}", refused.stderr);
        let sentence = "needs a binary of schema version";
        assert!(refused.stderr.contains(sentence), "{}", refused.stderr);
        assert!(
            refused.stderr.contains("update this binary"),
            "{}",
            refused.stderr
        );
    }
    let doctor = workspace.run(&["doctor"]).await;
    assert!(
        doctor.stdout.contains("needs a binary of schema version"),
        "{}",
        doctor.stdout
    );
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
