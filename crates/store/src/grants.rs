//! The rights of the application's own role in PostgreSQL: what serving needs, and nothing that could change
//! what the audit log says. The role that migrates owns the tables; the role that serves does not.

use sqlx::{AssertSqlSafe, PgPool};

use crate::{
    db::{Db, Pools},
    error::{Error, Result},
};

/// Tables whose rows stay as they were inserted.
const APPEND_ONLY: &[&str] = &[
    "audit_ledger",
    "audit_checkpoints",
    "audit_nodes",
    "policies",
    "policy_files",
];

/// What records which migrations were applied, and which binaries work with the result.
const SCHEMA_HISTORY: &str = "_sqlx_migrations, schema_compatibility";

/// The name of a database role: 1 to 63 lower-case letters, digits and `_`, not beginning with a digit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleName(String);

impl std::str::FromStr for RoleName {
    type Err = &'static str;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        let first = text.bytes().next().is_some_and(|b| !b.is_ascii_digit());
        if !first || text.len() > 63 || !text.bytes().all(word) {
            return Err("must be 1 to 63 of a-z, 0-9 and _, and not begin with a digit");
        }
        Ok(Self(text.to_owned()))
    }
}

impl std::fmt::Display for RoleName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Db {
    /// Gives an existing role exactly the rights that the application needs and revokes all others. Repeat it after each
    /// migration: a new table has no rights. `Error::Url` for a database that has no roles.
    pub async fn grant_application(&self, role: &RoleName) -> Result<()> {
        match self.pools() {
            Pools::Postgres(pool) => grant(pool, role).await,
            Pools::Sqlite(_) => Err(Error::Url("SQLite has no roles".to_owned())),
        }
    }
}

async fn grant(pool: &PgPool, role: &RoleName) -> Result<()> {
    let append_only = APPEND_ONLY.join(", ");
    let statements = [
        format!("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}"),
        format!("GRANT USAGE ON SCHEMA public TO {role}"),
        format!("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}"),
        format!("REVOKE UPDATE, DELETE ON {append_only} FROM {role}"),
        // A pending event is moved to the ledger, and never changed.
        format!("REVOKE UPDATE ON audit_pending FROM {role}"),
        // The application reads the schema's version and compatibility; only the role that migrates changes them.
        format!("REVOKE INSERT, UPDATE, DELETE ON {SCHEMA_HISTORY} FROM {role}"),
    ];
    let mut tx = pool.begin().await?;
    for sql in statements {
        // Constant text and a name that `RoleName` has validated.
        sqlx::query(AssertSqlSafe(sql)).execute(&mut *tx).await?;
    }
    tx.commit().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_is_a_plain_word() {
        for good in ["app", "proliferate_app2", "_x"] {
            assert!(good.parse::<RoleName>().is_ok(), "{good}");
        }
        for bad in ["", "2app", "App", "a b", "a\"b", "a;drop", &"x".repeat(64)] {
            assert!(bad.parse::<RoleName>().is_err(), "{bad}");
        }
    }
}
