//! A row that maps to no legal domain value is an error that names table, column and id: somebody
//! who changed the database by hand should read where.

use domain::role::Role;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(a_spoilt_row_is_named);

/// Spoils a row with the constraints out of the way.
async fn spoil(backend: Backend, url: &str, sql: &str) {
    match backend {
        Backend::Sqlite => {
            let mut conn = SqliteConnection::connect(url).await.unwrap();
            conn.execute("PRAGMA ignore_check_constraints = ON")
                .await
                .unwrap();
            conn.execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
        }
        Backend::Postgres => {
            let mut conn = PgConnection::connect(url).await.unwrap();
            let constraints = sqlx::query_scalar::<_, String>(
                "SELECT conname::text FROM pg_constraint
                 WHERE contype = 'c' AND conrelid = 'sessions'::regclass",
            );
            for name in constraints.fetch_all(&mut conn).await.unwrap() {
                let drop = format!("ALTER TABLE sessions DROP CONSTRAINT \"{name}\"");
                conn.execute(AssertSqlSafe(drop)).await.unwrap();
            }
            conn.execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
        }
    }
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
        tx.session_insert(&session).await.unwrap();
        tx.commit().await.unwrap();
        spoil(backend, &test.url, &format!("UPDATE sessions SET {change}")).await;
        let mut conn = test.db.read().await.unwrap();
        let error = conn
            .session_fetch(&org, session.id)
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
