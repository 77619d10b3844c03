//! Serving as a database role that cannot change the audit log, on PostgreSQL.

use app::{
    App, api_keys,
    audit::{
        self,
        bundle::{ArtifactInclusion, Bundle, BundleScope},
        verify::{TrustAnchor, verify},
    },
    organizations, secrets,
};
use domain::secret::SecretScope;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};
use store::{Db, Options, RoleName, SchemaFit};
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};

async fn execute(url: &str, sql: &str) -> Result<(), sqlx::Error> {
    let mut conn = PgConnection::connect(url).await.unwrap();
    let outcome = conn.execute(AssertSqlSafe(sql.to_owned())).await.map(drop);
    conn.close().await.unwrap();
    outcome
}

/// A URL under which the connection is the role's, whatever the server asks its own users for.
fn as_role(url: &str, role: &RoleName) -> String {
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}options=-c%20role%3D{role}")
}

#[tokio::test]
async fn case_51_the_role_that_serves_on_postgres_cannot_change_the_log() {
    let test = TestApp::start(Backend::Postgres).await;
    let url = &test.database.url;
    let role: RoleName = format!("serves_{}", std::process::id()).parse().unwrap();
    execute(url, &format!("CREATE ROLE {role} LOGIN"))
        .await
        .unwrap();
    // More than it should have, from before.
    execute(url, &format!("GRANT ALL ON audit_pending TO {role}"))
        .await
        .unwrap();
    for _ in 0..2 {
        test.app.db.grant_application(&role).await.unwrap();
    }

    // It serves: a few operations of each kind, then order, signature and export.
    let served = as_role(url, &role);
    let db = Db::open(&Options::new(&served)).await.unwrap();
    let schema = db.schema_status().await.unwrap();
    assert_eq!(schema.fit(), SchemaFit::Current);
    let app = App::new(app::Parts {
        db,
        ..(*test.app).clone()
    });
    let user_id = Person::Owner.user_id();
    let caller = organizations::member_caller(&app, Some(&test.acme), &user_id).await;
    let person = app::access::Person::of(&caller.unwrap()).unwrap();
    let (key, _) = api_keys::create(&app, &person, "name", None).await.unwrap();
    api_keys::revoke(&app, &person, key.id).await.unwrap();
    let skip = secrets::OnExisting::Skip;
    let scope = SecretScope::Organization;
    secrets::import(&app, &person, scope, "A=1\nB=2\n", skip)
        .await
        .unwrap();
    audit::sign_pending(&app, &test.acme).await.unwrap();
    let bundle = Bundle::open(
        &app,
        &test.acme,
        BundleScope::Log,
        ArtifactInclusion::Digests,
    );
    let (mut bundle, mut bytes) = (bundle.await.unwrap(), Vec::new());
    while let Some(page) = bundle.next_page().await.unwrap() {
        bytes.extend(page);
    }
    let key = audit::SigningKey::of(&app.keyring, &test.acme).unwrap();
    let key = key.verifier_key().parse().unwrap();
    let report = verify(&bytes[..], &TrustAnchor { key, from: None }, |_| {}).unwrap();
    assert_eq!(report.records, 3);

    for table in [
        "audit_pending",
        "audit_ledger",
        "audit_checkpoints",
        "audit_nodes",
    ] {
        // What waits is removed on the way to its place; that it has one is seen to by a trigger.
        let delete = (table != "audit_pending").then(|| format!("DELETE FROM {table}"));
        let others = [
            format!("UPDATE {table} SET organization_id = 'other'"),
            format!("TRUNCATE {table}"),
            format!("ALTER TABLE {table} DISABLE TRIGGER ALL"),
            format!("DROP TABLE {table}"),
        ];
        for sql in delete.into_iter().chain(others) {
            let error = execute(&served, &sql).await.unwrap_err().to_string();
            let refused = error.contains("permission denied") || error.contains("must be owner");
            assert!(refused, "{sql}: {error}");
        }
    }
    for table in ["_sqlx_migrations", "schema_compatibility"] {
        let sql = format!("DELETE FROM {table}");
        assert!(execute(&served, &sql).await.is_err(), "{sql}");
    }
    app.db.close().await;
    let drop = format!("DROP OWNED BY {role}; DROP ROLE {role}");
    let mut conn = PgConnection::connect(url).await.unwrap();
    conn.execute(sqlx::raw_sql(AssertSqlSafe(drop)))
        .await
        .unwrap();
}

#[tokio::test]
async fn sqlite_has_no_roles_and_says_so() {
    let test = TestApp::start(Backend::Sqlite).await;
    let role = "app".parse().unwrap();
    assert!(test.app.db.grant_application(&role).await.is_err());
}
