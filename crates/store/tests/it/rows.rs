//! A row that maps to no legal domain value is an error that names table, column and id, so that an operator who
//! changed the database by hand finds it.

use domain::role::Role;
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(a_spoilt_row_is_named);

/// Spoils a row with the constraints out of the way.
async fn spoil(backend: Backend, test: &TestDatabase, sql: &str) {
    let unhindered = match backend {
        Backend::Sqlite => format!("PRAGMA ignore_check_constraints = ON; {sql}"),
        Backend::Postgres => format!(
            "DO $$ DECLARE name text; BEGIN
                FOR name IN SELECT conname FROM pg_constraint
                    WHERE contype = 'c' AND conrelid = 'sessions'::regclass
                LOOP EXECUTE format('ALTER TABLE sessions DROP CONSTRAINT %I', name); END LOOP;
            END $$; {sql}"
        ),
    };
    test.execute(&unhindered).await;
}

async fn a_spoilt_row_is_named(backend: Backend) {
    let cases = [
        ("status = 'sleeping'", "status"),
        ("status = 'starting'", "starting_since"),
        ("status = 'running'", "started_at"),
        (
            "status = 'paused', started_at = created_at, paused_at = created_at",
            "pause_reason",
        ),
        ("status = 'stopped'", "ended_at"),
        ("ended_at = created_at", "ended_at"),
        (
            "agent_config = '{\"agentType\":\"opencode\",\"modelId\":\"gone\"}'",
            "agent_config",
        ),
        ("ssh_public_keys = '{}'", "ssh_public_keys"),
    ];
    for (change, column) in cases {
        let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
        let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
        let session = fixture.session(&org);
        let mut tx = test.db.write().await.unwrap();
        store::session_insert(&mut tx, &session).await.unwrap();
        tx.commit().await.unwrap();
        spoil(backend, &test, &format!("UPDATE sessions SET {change}")).await;
        let mut conn = test.db.read().await.unwrap();
        let error = store::session_fetch(&mut conn, &org, session.id)
            .await
            .unwrap_err()
            .to_string();
        let expected = format!(
            "sessions.{column} of row {} holds no legal value",
            session.id
        );
        assert!(error.starts_with(&expected), "{change}: {error}");
    }
}
