//! The schema's history, embedded in the binary. One text per migration, in PostgreSQL's dialect;
//! SQLite's is derived, so that the two cannot drift apart.

use std::borrow::Cow;

use rusqlite::OptionalExtension as _;
use sqlx::{
    AssertSqlSafe, SqlSafeStr,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
};

use crate::{
    db::Dialect,
    error::{Error, Result},
    sqlite::{Handle, spell_out},
};

/// Version, description, text; in order.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (
        1,
        "foundation",
        include_str!("../migrations/0001_foundation.sql"),
    ),
    (2, "audit", include_str!("../migrations/0002_audit.sql")),
    (
        3,
        "mediation",
        include_str!("../migrations/0003_mediation.sql"),
    ),
    (4, "actions", include_str!("../migrations/0004_actions.sql")),
    (
        5,
        "connectors",
        include_str!("../migrations/0005_connectors.sql"),
    ),
    (6, "oauth", include_str!("../migrations/0006_oauth.sql")),
    (
        7,
        "webhooks",
        include_str!("../migrations/0007_webhooks.sql"),
    ),
    (
        8,
        "callbacks",
        include_str!("../migrations/0008_callbacks.sql"),
    ),
    (
        9,
        "live events",
        include_str!("../migrations/0009_live_events.sql"),
    ),
    (
        10,
        "model_usage",
        include_str!("../migrations/0010_model_usage.sql"),
    ),
    (
        11,
        "automations",
        include_str!("../migrations/0011_automations.sql"),
    ),
    (
        12,
        "snapshots",
        include_str!("../migrations/0012_snapshots.sql"),
    ),
    (
        13,
        "repo push",
        include_str!("../migrations/0013_repo_push.sql"),
    ),
    (14, "logins", include_str!("../migrations/0014_logins.sql")),
    (15, "jobs", include_str!("../migrations/0015_jobs.sql")),
    (
        16,
        "configuration budget",
        include_str!("../migrations/0016_configuration_budget.sql"),
    ),
    (
        17,
        "organization budget",
        include_str!("../migrations/0017_organization_budget.sql"),
    ),
    (18, "locks", include_str!("../migrations/0018_locks.sql")),
    (
        19,
        "accepted definitions",
        include_str!("../migrations/0019_accepted_definitions.sql"),
    ),
    (
        20,
        "asked of places",
        include_str!("../migrations/0020_asked_of_places.sql"),
    ),
    (
        21,
        "events at their places",
        include_str!("../migrations/0021_events_at_their_places.sql"),
    ),
    (
        22,
        "grant basis",
        include_str!("../migrations/0022_grant_basis.sql"),
    ),
];

/// The newest version this binary knows.
pub(crate) fn latest_version() -> i64 {
    MIGRATIONS.last().map_or(0, |(version, ..)| *version)
}

/// All migrations up to a version, in the dialect's text.
pub(crate) fn migrator(dialect: Dialect, last: i64) -> Migrator {
    let migrations = MIGRATIONS
        .iter()
        .filter(|(version, ..)| *version <= last)
        .map(|(version, description, text)| {
            let sql = match dialect {
                Dialect::Postgres => (*text).to_owned(),
                Dialect::Sqlite => sqlite_text(text),
            };
            // Our own text, embedded at build time.
            let sql = AssertSqlSafe(sql).into_sql_str();
            Migration::new(
                *version,
                Cow::Borrowed(description),
                MigrationType::Simple,
                sql,
                false,
            )
        })
        .collect();
    Migrator::with_migrations(migrations)
}

/// Where sqlx notes what it has applied; the same table on both databases.
const APPLIED: &str = "CREATE TABLE IF NOT EXISTS _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
)";

/// Applies to SQLite what has not been, in the transaction that is open.
pub(crate) fn apply(handle: &mut Handle, migrator: &Migrator) -> Result<()> {
    let failed = |error: rusqlite::Error| Error::Migrate(error.into());
    let found = applied(handle);
    if found > latest_version() {
        return Err(Error::Migrate(MigrateError::VersionMissing(found).into()));
    }
    let connection = handle.connection();
    connection.execute_batch(APPLIED).map_err(failed)?;
    let noted = |version: i64| {
        let sql = "SELECT checksum FROM _sqlx_migrations WHERE version = ?1";
        let found = connection.query_row(sql, [version], |row| row.get::<_, Vec<u8>>(0));
        found.optional().map_err(failed)
    };
    for migration in migrator.iter() {
        match noted(migration.version)? {
            Some(checksum) if checksum == *migration.checksum => {}
            Some(_) => {
                let changed = MigrateError::VersionMismatch(migration.version);
                return Err(Error::Migrate(changed.into()));
            }
            None => {
                let sql = migration.sql.as_str();
                connection.execute_batch(sql).map_err(failed)?;
                let note = "INSERT INTO _sqlx_migrations
                    (version, description, success, checksum, execution_time)
                    VALUES (?1, ?2, TRUE, ?3, 0)";
                let values = (
                    migration.version,
                    &*migration.description,
                    &*migration.checksum,
                );
                connection.execute(note, values).map_err(failed)?;
            }
        }
    }
    spell_out(connection).map_err(failed)
}

/// The newest version a SQLite file has; 0 for one that was never migrated.
pub(crate) fn applied(handle: &mut Handle) -> i64 {
    let sql = "SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations";
    let version = handle.connection().query_row(sql, [], |row| row.get(0));
    version.unwrap_or(0)
}

/// SQLite's types for PostgreSQL's, and `STRICT` so that it holds to them.
///
/// What has no common spelling stands between `-- @postgres`, `-- @sqlite` and `-- @end`, the lines for
/// SQLite as comments, so that the file as it is remains PostgreSQL's.
fn sqlite_text(postgres: &str) -> String {
    const TYPES: &[(&str, &str)] = &[
        (" UUID", " TEXT"),
        (" JSONB", " TEXT"),
        (" TIMESTAMPTZ", " INTEGER"),
        (" BIGINT", " INTEGER"),
        (" BOOLEAN", " INTEGER"),
    ];
    let mut text = own_lines(postgres).replace("\n);", "\n) STRICT;");
    for (from, to) in TYPES {
        text = text.replace(from, to);
    }
    text
}

/// The text without PostgreSQL's own blocks and with SQLite's uncommented.
fn own_lines(postgres: &str) -> String {
    let (mut text, mut block) = (String::with_capacity(postgres.len()), "");
    for line in postgres.lines() {
        match (line.strip_prefix("-- @"), block) {
            (Some("end"), _) => block = "",
            (Some(name), _) => block = name,
            (None, "postgres") => {}
            (None, "sqlite") => {
                text.push_str(line.strip_prefix("-- ").unwrap_or(line));
                text.push('\n');
            }
            (None, _) => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_count_up_from_one() {
        let versions: Vec<_> = MIGRATIONS.iter().map(|(version, ..)| *version).collect();
        let expected: Vec<_> = (1..=latest_version()).collect();
        assert_eq!(versions, expected);
    }

    #[test]
    fn the_sqlite_text_keeps_nothing_of_the_other_dialect() {
        for (_, name, text) in MIGRATIONS {
            let derived = sqlite_text(text);
            for word in [
                " UUID",
                " JSONB",
                " TIMESTAMPTZ",
                " BIGINT",
                " BOOLEAN",
                "plpgsql",
            ] {
                assert!(!derived.contains(word), "{name} still has{word}");
            }
            assert_eq!(
                derived.matches("CREATE TABLE").count(),
                derived.matches(" STRICT;").count()
            );
        }
    }
}
