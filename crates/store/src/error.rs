//! The store's error. A variant exists where a caller acts on it.

use rusqlite::{ErrorCode, ffi};
use sqlx::error::ErrorKind;

pub type Result<T> = std::result::Result<T, Error>;

/// The driver's error.
type Cause = Box<dyn std::error::Error + Send + Sync>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database cannot be reached, is too busy, or gave up on the statement in time: the same call may
    /// succeed later. Nothing was written, unless it is the answer to a commit that was lost.
    #[error("the database is unavailable: {context}")]
    Unavailable {
        context: &'static str,
        #[source]
        source: Option<Cause>,
    },
    /// A row with the same unique value exists.
    #[error("a row with the same {constraint} exists")]
    Conflict { constraint: String },
    /// A referenced row does not exist, or no longer.
    #[error("a referenced row does not exist")]
    MissingReference,
    /// A stored row is not a legal value: an operator changed the database by hand, or a migration is wrong.
    #[error("{table}.{column} of row {id} holds no legal value: {reason}")]
    Inconsistent {
        table: &'static str,
        column: &'static str,
        id: String,
        reason: String,
    },
    /// The database's schema could not be brought up to date.
    #[error("migrating the database failed")]
    Migrate(#[source] Cause),
    /// Migrations of this binary are pending.
    #[error("the database has schema version {found}, this binary needs {needed}")]
    SchemaOutdated { found: i64, needed: i64 },
    /// A newer binary has removed what this one needs.
    #[error(
        "the database has schema version {found}, which needs a binary of schema version \
         {oldest_binary} or later; this binary has {known}"
    )]
    SchemaTooNew {
        found: i64,
        oldest_binary: i64,
        known: i64,
    },
    /// The database URL or its options are not usable.
    #[error("the database URL is not usable: {0}")]
    Url(String),
    /// Anything else: a defect of this crate.
    #[error("the database refused a statement")]
    Database(#[source] Cause),
}

impl Error {
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }

    /// What an operator does about it, where that is known.
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::SchemaOutdated { .. } => Some("run `proliferate migrate` once, then start again"),
            Self::SchemaTooNew { .. } => {
                Some("a newer version has migrated this database; update this binary")
            }
            _ => None,
        }
    }

    /// Returns `Unavailable` with a cause that no driver reported.
    pub fn unavailable(context: &'static str) -> Self {
        Self::Unavailable {
            context,
            source: None,
        }
    }
}

/// PostgreSQL: admin shutdown, crash shutdown, cannot connect now, too many connections, statement
/// timeout, lock timeout, serialization failure, deadlock, idle-in-transaction timeout.
const POSTGRES_UNAVAILABLE: &[&str] = &[
    "57P01", "57P02", "57P03", "53300", "57014", "55P03", "40001", "40P01", "25P03",
];

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let unavailable = |context| {
            move |source: sqlx::Error| Self::Unavailable {
                context,
                source: Some(source.into()),
            }
        };
        match &error {
            sqlx::Error::PoolTimedOut => unavailable("every connection is in use")(error),
            sqlx::Error::PoolClosed => unavailable("shutting down")(error),
            sqlx::Error::Io(_) | sqlx::Error::Tls(_) => {
                unavailable("the connection was lost")(error)
            }
            sqlx::Error::Database(db) => {
                let code = db.code().unwrap_or_default();
                if POSTGRES_UNAVAILABLE.contains(&code.as_ref()) {
                    return unavailable("busy or restarting")(error);
                }
                match db.kind() {
                    ErrorKind::UniqueViolation => Self::Conflict {
                        constraint: db.constraint().unwrap_or_else(|| db.message()).to_owned(),
                    },
                    ErrorKind::ForeignKeyViolation => Self::MissingReference,
                    _ => Self::Database(error.into()),
                }
            }
            _ => Self::Database(error.into()),
        }
    }
}

/// Whether another process or connection holds SQLite's lock, so that the same statement may succeed later.
pub(crate) fn is_locked(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        if is_locked(&error) {
            return Self::Unavailable {
                context: "busy or restarting",
                source: Some(error.into()),
            };
        }
        match error.sqlite_error().map(|error| error.extended_code) {
            Some(
                ffi::SQLITE_CONSTRAINT_UNIQUE
                | ffi::SQLITE_CONSTRAINT_PRIMARYKEY
                | ffi::SQLITE_CONSTRAINT_ROWID,
            ) => Self::Conflict {
                constraint: error.to_string(),
            },
            Some(ffi::SQLITE_CONSTRAINT_FOREIGNKEY) => Self::MissingReference,
            _ => Self::Database(error.into()),
        }
    }
}
