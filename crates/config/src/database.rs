//! `[database]`: which database, and how long anything may wait for it.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use domain::limits;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    env,
    error::{Complaint, Refusal},
    resolve::Resolver,
    server::{duration_range, range},
    setting::Setting,
    url::ConnectionUrl,
    value::Value,
};

pub const URL: Setting = Setting {
    path: "database.url",
    flag: "--database-url",
    env: &[env::DATABASE_URL],
};
pub const CONNECTIONS_MAX: Setting = Setting {
    path: "database.connections_max",
    flag: "--database-connections-max",
    env: &[env::DATABASE_CONNECTIONS_MAX],
};
pub const ACQUIRE_TIMEOUT: Setting = Setting {
    path: "database.acquire_timeout",
    flag: "--database-acquire-timeout",
    env: &[env::DATABASE_ACQUIRE_TIMEOUT],
};
pub const STATEMENT_TIMEOUT: Setting = Setting {
    path: "database.statement_timeout",
    flag: "--database-statement-timeout",
    env: &[env::DATABASE_STATEMENT_TIMEOUT],
};

/// The SQLite file inside the data directory.
const SQLITE_FILE: &str = "proliferate.db";
/// PostgreSQL itself is rarely set up for more than this.
const CONNECTIONS_RANGE: [u32; 2] = [1, 500];
/// Shorter than a round trip would fail always; longer than a request may take is never seen.
const TIMEOUT_RANGE: [Duration; 2] = [Duration::from_millis(10), Duration::from_mins(10)];

/// Where the durable state is.
#[derive(Debug, Clone)]
pub enum DatabaseUrl {
    /// A file, created when absent.
    Sqlite(PathBuf),
    /// `postgres://` or `postgresql://`.
    Postgres(ConnectionUrl),
}

impl Value for DatabaseUrl {
    fn parse(text: &str) -> Result<Self, Refusal> {
        let hint = "write `sqlite:PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`";
        let Some(path) = text.strip_prefix("sqlite:") else {
            let example = "postgres://user:password@host/database";
            return ConnectionUrl::parse(text, &["postgres", "postgresql"], example)
                .map(Self::Postgres)
                .map_err(|refusal| Refusal::new(refusal.message, hint));
        };
        let path = path.strip_prefix("//").unwrap_or(path);
        if path.is_empty() {
            return Err(Refusal::new("names no file", hint));
        }
        if path.starts_with(":memory:") {
            return Err(Refusal::new(
                "is in memory, where each connection would see a database of its own",
                "name a file: `sqlite:PATH`",
            ));
        }
        if path.contains('?') {
            return Err(Refusal::new(
                "has parameters, which are not supported",
                hint,
            ));
        }
        Ok(Self::Sqlite(path.into()))
    }

    fn show(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("sqlite:{}", path.display()),
            Self::Postgres(url) => url.to_string(),
        }
    }

    fn holds_secret(&self) -> bool {
        matches!(self, Self::Postgres(url) if url.holds_secret())
    }
}

/// The database.
#[derive(Debug, Clone)]
pub struct DatabaseSettings {
    /// Which database.
    pub url: DatabaseUrl,
    /// Connections to PostgreSQL, or reading connections to SQLite.
    pub connections_max: u32,
    /// How long a request waits for a connection.
    pub acquire_timeout: Duration,
    /// How long one statement may run in PostgreSQL.
    pub statement_timeout: Duration,
}

impl DatabaseSettings {
    /// The defaults for a data directory: a file in it.
    pub fn default_in(data_dir: &Path) -> Self {
        Self {
            url: DatabaseUrl::Sqlite(data_dir.join(SQLITE_FILE)),
            connections_max: limits::SQLITE_READERS_MAX,
            acquire_timeout: limits::DATABASE_ACQUIRE_TIMEOUT,
            statement_timeout: limits::DATABASE_STATEMENT_TIMEOUT,
        }
    }

    pub(crate) fn resolve(
        resolver: &mut Resolver<'_>,
        file: DatabaseFile,
        data_dir: &Path,
    ) -> Self {
        let default = Self::default_in(data_dir);
        let url = resolver.value(&URL, file.url, default.url);
        let connections_max_default = match url {
            DatabaseUrl::Sqlite(_) => limits::SQLITE_READERS_MAX,
            DatabaseUrl::Postgres(_) => limits::POSTGRES_CONNECTIONS_MAX,
        };
        Self {
            connections_max: resolver.value(
                &CONNECTIONS_MAX,
                file.connections_max,
                connections_max_default,
            ),
            acquire_timeout: resolver.value(
                &ACQUIRE_TIMEOUT,
                file.acquire_timeout,
                default.acquire_timeout,
            ),
            statement_timeout: resolver.value(
                &STATEMENT_TIMEOUT,
                file.statement_timeout,
                default.statement_timeout,
            ),
            url,
        }
    }

    pub fn validate(&self) -> Vec<Complaint> {
        let [min, max] = TIMEOUT_RANGE;
        let [fewest, most] = CONNECTIONS_RANGE;
        [
            range(&CONNECTIONS_MAX, self.connections_max, fewest, most),
            duration_range(&ACQUIRE_TIMEOUT, self.acquire_timeout, min, max),
            duration_range(&STATEMENT_TIMEOUT, self.statement_timeout, min, max),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// `[database]` of the file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct DatabaseFile {
    /// `sqlite:PATH` or `postgres://...`. Default: the file `proliferate.db` in the data directory.
    url: Option<String>,
    /// Most connections to PostgreSQL (default 20), or reading connections to SQLite (default 8).
    connections_max: Option<u64>,
    /// How long a request waits for a connection. Default `5s`.
    acquire_timeout: Option<String>,
    /// How long one statement may run in PostgreSQL. Default `10s`.
    statement_timeout: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_both_databases() {
        for (text, path) in [
            ("sqlite:a/b.db", "a/b.db"),
            ("sqlite://a/b.db", "a/b.db"),
            ("sqlite:///var/b.db", "/var/b.db"),
            ("sqlite:/var/b.db", "/var/b.db"),
        ] {
            let url = DatabaseUrl::parse(text).unwrap();
            assert!(
                matches!(&url, DatabaseUrl::Sqlite(found) if found == Path::new(path)),
                "{url:?}"
            );
        }
        for text in [
            "postgres://u:pw@h/db",
            "postgresql://h:5432/db?sslmode=require",
        ] {
            let url = DatabaseUrl::parse(text).unwrap();
            assert!(matches!(&url, DatabaseUrl::Postgres(found) if found.expose() == text));
        }
        for bad in [
            "",
            "x",
            "mysql://h/db",
            "sqlite:",
            "sqlite::memory:",
            "sqlite:a?mode=ro",
        ] {
            assert!(DatabaseUrl::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_defaults_are_valid() {
        assert_eq!(DatabaseSettings::default_in(Path::new("d")).validate(), []);
    }
}
