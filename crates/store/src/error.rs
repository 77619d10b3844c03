//! What can go wrong in the store, told apart only where a caller acts on the difference.

use sqlx::error::ErrorKind;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database cannot be reached, is too busy, or gave up on the statement in time. Nothing was
    /// written, or the transaction was rolled back: the same call may succeed later.
    #[error("the database is unavailable: {context}")]
    Unavailable {
        context: &'static str,
        #[source]
        source: sqlx::Error,
    },
    /// A row with the same unique value exists.
    #[error("a row with the same {constraint} exists")]
    Conflict { constraint: String },
    /// A row that should be referred to is not there (any more).
    #[error("a referenced row does not exist")]
    MissingReference,
    /// A stored row is not a legal value. Somebody changed the database by hand, or a migration did
    /// not do what it should have.
    #[error("{table}.{column} of row {id} holds no legal value: {reason}")]
    Inconsistent {
        table: &'static str,
        column: &'static str,
        id: String,
        reason: String,
    },
    /// The database's schema could not be brought up to date.
    #[error("migrating the database failed")]
    Migrate(#[source] sqlx::migrate::MigrateError),
    /// The database URL or its options are not usable.
    #[error("the database URL is not usable: {0}")]
    Url(String),
    /// Anything else: a defect of ours.
    #[error("the database refused a statement")]
    Database(#[source] sqlx::Error),
}

impl Error {
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }
}

/// PostgreSQL: admin shutdown, crash shutdown, cannot connect now, too many connections, statement
/// timeout, lock timeout, serialization failure, deadlock, idle-in-transaction timeout.
const POSTGRES_UNAVAILABLE: &[&str] = &[
    "57P01", "57P02", "57P03", "53300", "57014", "55P03", "40001", "40P01", "25P03",
];
/// SQLite: busy and locked, with their extended codes.
const SQLITE_UNAVAILABLE: &[&str] = &["5", "6", "261", "262", "517", "773"];

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let unavailable = |context| move |source| Self::Unavailable { context, source };
        match &error {
            sqlx::Error::PoolTimedOut => unavailable("every connection is in use")(error),
            sqlx::Error::PoolClosed => unavailable("shutting down")(error),
            sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::WorkerCrashed => {
                unavailable("the connection was lost")(error)
            }
            sqlx::Error::Database(db) => {
                let code = db.code().unwrap_or_default();
                if POSTGRES_UNAVAILABLE.contains(&code.as_ref())
                    || SQLITE_UNAVAILABLE.contains(&code.as_ref())
                {
                    return unavailable("busy or restarting")(error);
                }
                match db.kind() {
                    ErrorKind::UniqueViolation => Self::Conflict {
                        constraint: db.constraint().unwrap_or_else(|| db.message()).to_owned(),
                    },
                    ErrorKind::ForeignKeyViolation => Self::MissingReference,
                    _ => Self::Database(error),
                }
            }
            _ => Self::Database(error),
        }
    }
}
