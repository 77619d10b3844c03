//! `[database]`: which database, and how long a request may wait for it.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use domain::limits;

use crate::{
    invalid::{InvalidSetting, InvalidValue},
    resolve::Resolver,
    setting::{DefaultValue, EnvVar, Section, SectionEntry, Setting, ValueKind},
    value::{
        SettingValue,
        bounds::{check_duration_range, check_range},
        url::ConnectionUrl,
    },
};

pub const URL: Setting = Setting {
    path: "database.url",
    flag: "--database-url",
    env: &[EnvVar::new("PROLIFERATE_DATABASE_URL", "0.1.0")],
    kind: ValueKind::UrlWithPassword,
    default: DefaultValue::Computed("the file `proliferate.db` in the data directory"),
    help: "`sqlite:PATH` or `postgres://...`.",
};
pub const CONNECTIONS_MAX: Setting = Setting {
    path: "database.connections_max",
    flag: "--database-connections-max",
    env: &[EnvVar::new("PROLIFERATE_DATABASE_CONNECTIONS_MAX", "0.1.0")],
    kind: ValueKind::Number,
    default: DefaultValue::Computed("20 for PostgreSQL, 8 for SQLite"),
    help: "Most connections to PostgreSQL, or reading connections to SQLite.",
};
pub const ACQUIRE_TIMEOUT: Setting = Setting {
    path: "database.acquire_timeout",
    flag: "--database-acquire-timeout",
    env: &[EnvVar::new("PROLIFERATE_DATABASE_ACQUIRE_TIMEOUT", "0.1.0")],
    kind: ValueKind::Duration,
    default: DefaultValue::Duration(limits::DATABASE_ACQUIRE_TIMEOUT),
    help: "How long a request waits for a connection.",
};
pub const STATEMENT_TIMEOUT: Setting = Setting {
    path: "database.statement_timeout",
    flag: "--database-statement-timeout",
    env: &[EnvVar::new(
        "PROLIFERATE_DATABASE_STATEMENT_TIMEOUT",
        "0.1.0",
    )],
    kind: ValueKind::Duration,
    default: DefaultValue::Duration(limits::DATABASE_STATEMENT_TIMEOUT),
    help: "How long one statement may run in PostgreSQL.",
};

pub(crate) const SECTION: Section = Section {
    name: "database",
    heading: "Database",
    entries: &[
        SectionEntry::Open(URL),
        SectionEntry::Open(CONNECTIONS_MAX),
        SectionEntry::Open(ACQUIRE_TIMEOUT),
        SectionEntry::Open(STATEMENT_TIMEOUT),
    ],
    other_variables: &[],
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

impl SettingValue for DatabaseUrl {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        let hint = "write `sqlite:PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`";
        let Some(path) = text.strip_prefix("sqlite:") else {
            let example = "postgres://user:password@host/database";
            return ConnectionUrl::parse(text, &["postgres", "postgresql"], example)
                .map(Self::Postgres)
                .map_err(|invalid| InvalidValue::new(invalid.message, hint));
        };
        let path = path.strip_prefix("//").unwrap_or(path);
        if path.is_empty() {
            return Err(InvalidValue::new("names no file", hint));
        }
        if path.starts_with(":memory:") {
            return Err(InvalidValue::new(
                "is in memory, where each connection would see a database of its own",
                "name a file: `sqlite:PATH`",
            ));
        }
        if path.contains('?') {
            return Err(InvalidValue::new(
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
    pub url: DatabaseUrl,
    /// Connections to PostgreSQL, or reading connections to SQLite.
    pub connections_max: u32,
    /// How long a request waits for a connection.
    pub acquire_timeout: Duration,
    /// How long one statement may run in PostgreSQL.
    pub statement_timeout: Duration,
}

impl DatabaseSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, data_dir: &Path) -> Self {
        let default = DatabaseUrl::Sqlite(data_dir.join(SQLITE_FILE));
        let url = resolver.value_or(&URL, default);
        let connections_max = match url {
            DatabaseUrl::Sqlite(_) => limits::SQLITE_READERS_MAX,
            DatabaseUrl::Postgres(_) => limits::POSTGRES_CONNECTIONS_MAX,
        };
        Self {
            url,
            connections_max: resolver.value_or(&CONNECTIONS_MAX, connections_max),
            acquire_timeout: resolver.value(&ACQUIRE_TIMEOUT),
            statement_timeout: resolver.value(&STATEMENT_TIMEOUT),
        }
    }

    pub fn validate(&self) -> Vec<InvalidSetting> {
        let (acquire, statement) = (self.acquire_timeout, self.statement_timeout);
        let found = [
            check_range(&CONNECTIONS_MAX, self.connections_max, CONNECTIONS_RANGE),
            check_duration_range(&ACQUIRE_TIMEOUT, acquire, TIMEOUT_RANGE),
            check_duration_range(&STATEMENT_TIMEOUT, statement, TIMEOUT_RANGE),
        ];
        found.into_iter().flatten().collect()
    }
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
        let settings = Resolver::defaults(|it| DatabaseSettings::resolve(it, Path::new("d")));
        assert_eq!(settings.validate(), []);
    }
}
