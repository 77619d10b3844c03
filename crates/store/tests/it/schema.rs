//! The schema itself: every statement is valid on both databases, migrations repeat safely, and the
//! constraints refuse what the types forbid.

use std::time::Duration;

use domain::role::Role;
use rusqlite::config::DbConfig;
use sqlx::{Connection as _, Executor, PgConnection, PgPool, SqlSafeStr};
use store::{Db, Error, Options, SchemaFit};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    every_statement_prepares,
    migrating_again_and_at_once_changes_nothing,
    a_migration_has_no_time_limit_of_a_statement,
    a_migration_records_the_oldest_binary_that_works,
    an_older_binary_uses_a_schema_until_a_contract_excludes_it,
    a_newer_schema_without_a_record_is_refused,
    a_changed_migration_is_found_below_a_newer_schema,
    the_database_refuses_what_the_types_forbid,
    a_session_dies_with_its_organization,
);

async fn every_statement_prepares(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let statements = store::statements();
    assert!(statements.len() > 40);
    for statement in statements {
        match backend {
            Backend::Sqlite => {
                let path = test.url.trim_start_matches("sqlite:");
                let connection = rusqlite::Connection::open(path).unwrap();
                let prepared = connection.prepare(statement.sqlite).map(drop);
                prepared.unwrap_or_else(|error| panic!("{}: {error}", statement.name));
            }
            Backend::Postgres => {
                let pool = PgPool::connect(&test.url).await.unwrap();
                let prepared = pool.prepare(statement.postgres.into_sql_str()).await;
                prepared.unwrap_or_else(|error| panic!("{}: {error}", statement.name));
            }
        }
    }
}

async fn migrating_again_and_at_once_changes_nothing(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let migrated = test.db.schema_status().await.unwrap();
    assert_eq!(migrated.fit(), SchemaFit::Current);
    let others: Vec<_> = (0..4)
        .map(|_| {
            let url = test.url.clone();
            tokio::spawn(async move {
                let db = Db::open(&Options::new(url)).await.unwrap();
                db.migrate().await.unwrap();
                db.close().await;
            })
        })
        .collect();
    for other in others {
        other.await.unwrap();
    }
    assert_eq!(test.db.schema_status().await.unwrap(), migrated);
}

/// PostgreSQL alone has such a limit; SQLite's file is migrated before anything is served from it.
async fn a_migration_has_no_time_limit_of_a_statement(backend: Backend) {
    let test = TestDatabase::create_empty(backend).await;
    test.db.migrate_to(21).await.unwrap();
    let statement_timeout = Duration::from_millis(300);
    let options = Options {
        statement_timeout,
        ..Options::new(&test.url)
    };
    let limited = Db::open(&options).await.unwrap();
    if backend == Backend::Sqlite {
        return limited.migrate().await.unwrap();
    }
    // As a statement over a large table would, one waits for longer than statements may take.
    let mut reader = PgConnection::connect(&test.url).await.unwrap();
    for sql in [
        "BEGIN",
        "LOCK TABLE action_invocations IN ACCESS SHARE MODE",
    ] {
        reader.execute(sql).await.unwrap();
    }
    let migrating = tokio::spawn(async move { limited.migrate().await });
    test.until_a_transaction_waits_for_a_lock().await;
    tokio::time::sleep(statement_timeout * 2).await;
    reader.execute("COMMIT").await.unwrap();
    migrating.await.unwrap().unwrap();
    let migrated = test.db.schema_status().await.unwrap();
    assert_eq!(migrated.fit(), SchemaFit::Current);
}

async fn a_migration_records_the_oldest_binary_that_works(backend: Backend) {
    let test = TestDatabase::create_empty(backend).await;
    test.db.migrate_to(22).await.unwrap();
    let status = test.db.schema_status().await.unwrap();
    assert_eq!((status.found, status.fit()), (22, SchemaFit::Outdated));
    let refused = status.require_usable().unwrap_err();
    assert!(matches!(refused, Error::SchemaOutdated { found: 22, .. }));
    test.db.migrate().await.unwrap();
    let record = "INSERT INTO schema_compatibility VALUES (23, 'expand', 22)";
    assert!(test.try_execute(record).await.is_err(), "it is there");
    test.execute("DELETE FROM schema_compatibility WHERE version = 23 AND kind = 'expand' AND oldest_binary = 22")
        .await;
    test.execute(record).await;
}

/// Records in the database what a newer binary does when it applies the migration after `version`.
async fn apply_newer(test: &TestDatabase, version: i64, kind: &str, oldest_binary: i64) -> i64 {
    let version = version + 1;
    test.execute(&format!(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
            VALUES ({version}, 'newer', TRUE, 'x', 0);
        INSERT INTO schema_compatibility (version, kind, oldest_binary)
            VALUES ({version}, '{kind}', {oldest_binary});"
    ))
    .await;
    version
}

async fn an_older_binary_uses_a_schema_until_a_contract_excludes_it(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let known = test.db.schema_status().await.unwrap().known;

    test.execute("ALTER TABLE sessions ADD COLUMN of_a_newer_binary TEXT")
        .await;
    let expanded = apply_newer(&test, known, "expand", known - 1).await;
    let contracted = apply_newer(&test, expanded, "contract", known).await;
    let status = test.db.schema_status().await.unwrap();
    assert_eq!((status.found, status.oldest_binary), (contracted, known));
    assert_eq!(status.fit(), SchemaFit::Newer);
    status.require_usable().unwrap();
    test.db.migrate().await.unwrap();
    assert_eq!(test.db.schema_status().await.unwrap(), status);
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let session = fixture.session(&org);
    let mut tx = test.db.write().await.unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    tx.commit().await.unwrap();
    let mut conn = test.db.read().await.unwrap();
    let found = store::session_fetch(&mut conn, &org, session.id)
        .await
        .unwrap();
    assert_eq!(found, Some(session));
    drop(conn);

    let excluded = apply_newer(&test, contracted, "contract", expanded).await;
    let status = test.db.schema_status().await.unwrap();
    assert_eq!(status.fit(), SchemaFit::Incompatible);
    let refused = status.require_usable().unwrap_err();
    let sentence = format!(
        "the database has schema version {excluded}, which needs a binary of schema version \
         {expanded} or later; this binary has {known}"
    );
    assert_eq!(refused.to_string(), sentence);
    assert!(refused.remedy().unwrap().contains("update this binary"));
    let refused = test.db.migrate().await.unwrap_err();
    assert_eq!(refused.to_string(), sentence);
}

async fn a_newer_schema_without_a_record_is_refused(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let known = test.db.schema_status().await.unwrap().known;
    let newer = apply_newer(&test, known, "expand", known).await;
    test.execute(&format!(
        "DELETE FROM schema_compatibility WHERE version = {newer}"
    ))
    .await;
    let status = test.db.schema_status().await.unwrap();
    assert_eq!(status.fit(), SchemaFit::Incompatible);
    assert_eq!(status.oldest_binary, newer);
}

async fn a_changed_migration_is_found_below_a_newer_schema(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let known = test.db.schema_status().await.unwrap().known;
    apply_newer(&test, known, "expand", known).await;
    test.db.migrate().await.unwrap();
    test.execute("UPDATE _sqlx_migrations SET checksum = 'x' WHERE version = 3")
        .await;
    let refused = test.db.migrate().await.unwrap_err();
    assert!(matches!(refused, Error::Migrate(_)), "{refused:?}");
}

async fn the_database_refuses_what_the_types_forbid(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let session = fixture.session(&org);
    let mut tx = test.db.write().await.unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    tx.commit().await.unwrap();
    let id = session.id;
    let forbidden = [
        "UPDATE sessions SET status = 'sleeping'".to_owned(),
        "UPDATE sessions SET status = 'paused'".to_owned(),
        "UPDATE sessions SET status = 'stopped'".to_owned(),
        "UPDATE sessions SET status = 'running'".to_owned(),
        "UPDATE sessions SET pause_reason = 'x', paused_at = created_at".to_owned(),
        "UPDATE sessions SET session_type = 'setup'".to_owned(),
        "UPDATE sessions SET client_type = 'fax'".to_owned(),
        "UPDATE sessions SET idempotency_key = 'without a digest'".to_owned(),
        "UPDATE sessions SET owner_epoch = -1".to_owned(),
        "UPDATE member SET role = 'root'".to_owned(),
        format!(
            "INSERT INTO session_connections VALUES ('{id}', 'org_acme', '{id}', '{id}', NULL)"
        ),
    ];
    for sql in forbidden {
        let outcome = test.try_execute(&sql).await;
        assert!(outcome.is_err(), "accepted: {sql}");
    }
    let mut conn = test.db.read().await.unwrap();
    assert_eq!(
        store::session_fetch(&mut conn, &org, id).await.unwrap(),
        Some(session)
    );
}

async fn a_session_dies_with_its_organization(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let session = fixture.session(&org);
    let mut tx = test.db.write().await.unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    tx.commit().await.unwrap();
    test.try_execute("DELETE FROM organization").await.unwrap();
    let mut conn = test.db.read().await.unwrap();
    assert_eq!(
        store::session_fetch_any(&mut conn, session.id)
            .await
            .unwrap(),
        None
    );
}

/// SQLite tells its plan without needing rows; PostgreSQL's depends on how many there are.
#[tokio::test]
async fn each_list_goes_along_its_index() {
    let test = TestDatabase::create(Backend::Sqlite).await;
    let path = test.url.trim_start_matches("sqlite:");
    let connection = rusqlite::Connection::open(path).unwrap();
    // As the store's are.
    let stable = DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG;
    connection.set_db_config(stable, true).unwrap();
    let expected = [
        ("AUDIT_RECORD_PAGE", "idx_audit_ledger_asked"),
        ("AUDIT_RECORD_PAGE_OF_RUN", "idx_audit_ledger_run"),
        ("AUDIT_RECORD_PAGE_OF_CASE", "idx_audit_ledger_case"),
        ("AUDIT_RECORD_PAGE_OF_SESSION", "idx_audit_ledger_session"),
        ("INVOCATION_LIST_SESSION", "idx_action_invocations_session"),
        ("INVOCATION_LIST_GRANT", "idx_action_invocations_grant"),
        ("INVOCATION_INBOX", "idx_action_invocations_org_created"),
        (
            "INVOCATION_INBOX_OF_STATUS",
            "idx_action_invocations_org_status",
        ),
        (
            "INVOCATION_OVERDUE_LIST",
            "idx_action_invocations_status_expires",
        ),
        ("GRANT_LIST", "idx_action_grants_org"),
        ("OVERRIDE_TICKET_LIST", "idx_override_tickets_organization"),
        ("OVERRIDE_TICKET_LIST_DUE", "idx_override_tickets_due"),
        ("CONNECTOR_LIST", "idx_connectors_scope"),
        ("CONNECTOR_LIST_OF_CONFIGURATION", "idx_connectors_scope"),
        ("CONNECTOR_LIST_FOR_SESSION", "idx_connectors_scope"),
        (
            "CONNECTOR_FETCH_FOR_SESSION",
            "sqlite_autoindex_connectors_1",
        ),
        ("GRANT_REQUEST_LIST", "idx_action_grant_requests_org"),
        (
            "GRANT_REQUEST_LIST_OF_STATUS",
            "idx_action_grant_requests_status",
        ),
        (
            "WEBHOOK_DELIVERY_LIST",
            "sqlite_autoindex_webhook_deliveries",
        ),
        (
            "WEBHOOK_DELIVERY_LIST_OF_STATUS",
            "idx_webhook_deliveries_status",
        ),
        ("SESSION_EVENT_LIST", "sqlite_autoindex_session_events"),
        ("WEBHOOK_DELIVERY_NEXT", "idx_webhook_deliveries_due"),
        ("WEBHOOK_DELIVERY_CLAIM", "idx_webhook_deliveries_due"),
        ("WEBHOOK_DELIVERY_SWEEP", "idx_webhook_deliveries_over"),
    ];
    for (name, index) in expected {
        let statements = store::statements();
        let statement = statements.iter().find(|statement| statement.name == name);
        let sql = format!("EXPLAIN QUERY PLAN {}", statement.unwrap().sqlite);
        let mut plan = connection.prepare(&sql).unwrap();
        // As it is: a plan needs no arguments.
        let mut rows = plan.raw_query();
        let mut steps = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            steps.push(row.get::<_, String>("detail").unwrap());
        }
        let plan = steps.join("; ");
        assert!(plan.contains(index), "{name}: {plan}");
        // A page that was cut by its index already may be read whole.
        let of_page = ["SCAN page", "SCAN counted", "SCAN (subquery"];
        let reads_a_table = |step: &String| {
            step.starts_with("SCAN") && !of_page.iter().any(|part| step.starts_with(part))
        };
        assert!(
            !steps.iter().any(reads_a_table) && !plan.contains("TEMP B-TREE"),
            "{name}: {plan}"
        );
    }
}
