//! The schema: which version a database has, whether this binary works with it, and how it is brought up to date.
//!
//! INVARIANT: the transaction of a migration records the oldest binary that works with the result. A binary that does
//! not know the newest migration reads that record (docs/checklists/new-migration.md).

mod dialect;
mod history;
mod status;

use std::borrow::Cow;

use rusqlite::OptionalExtension as _;
use sqlx::{
    AssertSqlSafe, PgPool, SqlSafeStr,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
    postgres::PgPoolOptions,
};

pub use self::status::{SchemaFit, SchemaStatus};
use self::{
    dialect::sqlite_text,
    history::{SchemaMigration, history, latest_version, oldest_binary},
};
use crate::{
    conn::Conn,
    db::{Db, Dialect, Pools},
    durability::Durability,
    error::{Error, Result},
    sqlite::SqliteConnection,
    statement::statements,
    value::values,
};

statements! {
    SCHEMA_OLDEST_BINARY = "SELECT oldest_binary FROM schema_compatibility WHERE version = $1";
}

impl Db {
    /// The schema's version, and whether this binary works with it.
    pub async fn schema_status(&self) -> Result<SchemaStatus> {
        let found = match self.pools() {
            Pools::Postgres(pool) => applied_to_postgres(pool).await?,
            Pools::Sqlite(sqlite) => applied_to_sqlite(&mut sqlite.read().await?)?,
        };
        let known = latest_version();
        let oldest_binary = if found > known {
            // Without a record, only a binary that has the migration is known to work.
            let recorded = schema_oldest_binary(&mut self.read().await?, found).await?;
            recorded.unwrap_or(found)
        } else {
            found
        };
        Ok(SchemaStatus {
            found,
            known,
            oldest_binary,
        })
    }

    /// Applies the migrations that the database does not have, and verifies the checksums of those that it has. Safe to
    /// call from several processes at once. A newer schema that this binary works with is left as it is.
    pub async fn migrate(&self) -> Result<()> {
        self.migrate_to(latest_version()).await
    }

    /// Migrates up to a version: for tests of a later migration.
    pub async fn migrate_to(&self, version: i64) -> Result<()> {
        self.schema_status().await?.require_compatible()?;
        let migrator = migrator(self.dialect(), version);
        match self.pools() {
            Pools::Postgres(pool) => migrate_postgres(pool, &migrator).await,
            Pools::Sqlite(sqlite) => {
                let mut handle = sqlite.begin(Durability::Power).await?;
                migrate_sqlite(&mut handle, &migrator)?;
                handle.commit()
            }
        }
    }
}

/// The oldest binary that works with the schema as this migration left it.
async fn schema_oldest_binary(conn: &mut Conn, version: i64) -> Result<Option<i64>> {
    let table = "schema_compatibility";
    let row = conn.fetch_optional(table, &SCHEMA_OLDEST_BINARY, values![version]);
    row.await?.map(|row| row.int("oldest_binary")).transpose()
}

/// All migrations up to a version, in the dialect's text.
fn migrator(dialect: Dialect, last: i64) -> Migrator {
    let mut all = history();
    all.retain(|migration| migration.version <= last);
    let migrations = (1..=all.len()).map(|count| {
        let (migration, applied) = (&all[count - 1], &all[..count]);
        let sql = match dialect {
            Dialect::Postgres => migration.text.to_owned(),
            Dialect::Sqlite => sqlite_text(migration.text),
        };
        // Our own text, embedded at build time.
        let sql = AssertSqlSafe(sql + &compatibility_record(migration, applied)).into_sql_str();
        Migration::new(
            migration.version,
            Cow::Owned(migration.name.replace('_', " ")),
            MigrationType::Simple,
            sql,
            false,
        )
    });
    let mut migrator = Migrator::with_migrations(migrations.collect());
    // `require_compatible` has accepted them.
    migrator.set_ignore_missing(true);
    migrator
}

/// The statement at the end of a migration that records which binaries work with what all those applied have made.
fn compatibility_record(migration: &SchemaMigration, applied: &[SchemaMigration]) -> String {
    let Some(kind) = migration.kind() else {
        return String::new();
    };
    format!(
        "\nINSERT INTO schema_compatibility (version, kind, oldest_binary) VALUES ({}, '{}', {});\n",
        migration.version,
        kind.name(),
        oldest_binary(applied)
    )
}

async fn migrate_postgres(pool: &PgPool, migrator: &Migrator) -> Result<()> {
    // A migration of a large table takes longer than any statement that serves. The timeout for locks stays: a
    // statement that waits for a lock blocks all that come after it.
    let untimed = [("statement_timeout", "0")];
    let connect = pool.connect_options().as_ref().clone().options(untimed);
    let one = PgPoolOptions::new().max_connections(1);
    let one = one.connect_with(connect).await?;
    let migrated = migrator.run(&one).await;
    one.close().await;
    migrated.map_err(|error| Error::Migrate(error.into()))
}

/// Where sqlx records what it has applied; the same table on both databases.
const APPLIED: &str = "CREATE TABLE IF NOT EXISTS _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
)";

/// Applies to SQLite what has not been applied, in the transaction that is open.
fn migrate_sqlite(handle: &mut SqliteConnection, migrator: &Migrator) -> Result<()> {
    let failed = |error: rusqlite::Error| Error::Migrate(error.into());
    let connection = handle.connection();
    connection.execute_batch(APPLIED).map_err(failed)?;
    let recorded_checksum = |version: i64| {
        let sql = "SELECT checksum FROM _sqlx_migrations WHERE version = ?1";
        let found = connection.query_row(sql, [version], |row| row.get::<_, Vec<u8>>(0));
        found.optional().map_err(failed)
    };
    for migration in migrator.iter() {
        match recorded_checksum(migration.version)? {
            Some(checksum) if checksum == *migration.checksum => {}
            Some(_) => {
                let changed = MigrateError::VersionMismatch(migration.version);
                return Err(Error::Migrate(changed.into()));
            }
            None => {
                let sql = migration.sql.as_str();
                connection.execute_batch(sql).map_err(failed)?;
                let record = "INSERT INTO _sqlx_migrations
                    (version, description, success, checksum, execution_time)
                    VALUES (?1, ?2, TRUE, ?3, 0)";
                let values = (
                    migration.version,
                    &*migration.description,
                    &*migration.checksum,
                );
                connection.execute(record, values).map_err(failed)?;
            }
        }
    }
    Ok(())
}

const NEWEST_APPLIED: &str = "SELECT MAX(version) FROM _sqlx_migrations";
/// PostgreSQL's code for a table that does not exist.
const UNDEFINED_TABLE: &str = "42P01";

/// The newest migration in a PostgreSQL database; 0 for one that was never migrated.
async fn applied_to_postgres(pool: &PgPool) -> Result<i64> {
    let newest = sqlx::query_scalar::<_, Option<i64>>(NEWEST_APPLIED);
    match Box::pin(newest.fetch_one(pool)).await {
        Ok(version) => Ok(version.unwrap_or(0)),
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(UNDEFINED_TABLE) => {
            Ok(0)
        }
        Err(error) => Err(error.into()),
    }
}

/// The newest migration in a SQLite file; 0 for one that was never migrated.
fn applied_to_sqlite(handle: &mut SqliteConnection) -> Result<i64> {
    let connection = handle.connection();
    // Not `Connection::table_exists`: it reads the schema that the connection has cached.
    let table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '_sqlx_migrations'";
    let table = connection.query_row(table, [], |_| Ok(())).optional()?;
    if table.is_none() {
        return Ok(0);
    }
    let newest = connection.query_row(NEWEST_APPLIED, [], |row| row.get::<_, Option<i64>>(0));
    Ok(newest?.unwrap_or(0))
}
