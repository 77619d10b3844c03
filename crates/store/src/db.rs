//! Opening a database by its URL, with explicit timeouts and pool sizes.
//!
//! SQLite: one writer and several readers in write-ahead mode, synchronous FULL, so that a committed
//! transaction survives both a crash of the process and a loss of power. PostgreSQL: one pool, with
//! server-side timeouts for statements, locks and idle transactions.

use std::{path::PathBuf, str::FromStr, sync::Arc, time::Duration};

use domain::limits;
use sqlx::{
    ConnectOptions, Connection, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::{
    conn::{Conn, DriverConnection, Tx},
    durability::Durability,
    error::{Error, Result},
    faults::{FaultInjection, Faults},
    sqlite::Sqlite,
};

/// Which database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

/// How to open it.
#[derive(Debug, Clone)]
pub struct Options {
    /// `sqlite:PATH`, `sqlite://PATH`, `postgres://...` or `postgresql://...`.
    pub url: String,
    pub connections_max: u32,
    pub acquire_timeout: Duration,
    pub statement_timeout: Duration,
}

impl Options {
    /// The defaults of `domain::limits` for this URL.
    pub fn new(url: impl Into<String>) -> Self {
        let url = url.into();
        let connections_max = match Dialect::of(&url) {
            Ok(Dialect::Sqlite) => limits::SQLITE_READERS_MAX,
            _ => limits::POSTGRES_CONNECTIONS_MAX,
        };
        Self {
            url,
            connections_max,
            acquire_timeout: limits::DATABASE_ACQUIRE_TIMEOUT,
            statement_timeout: limits::DATABASE_STATEMENT_TIMEOUT,
        }
    }
}

impl Dialect {
    pub(crate) fn of(url: &str) -> Result<Self> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => Ok(Self::Sqlite),
            Some("postgres" | "postgresql") => Ok(Self::Postgres),
            _ => Err(Error::Url(
                "it must start with sqlite: or postgres://".to_owned(),
            )),
        }
    }
}

/// An open database; cheap to clone.
#[derive(Debug, Clone)]
pub struct Db {
    pools: Pools,
    faults: FaultInjection,
}

#[derive(Debug, Clone)]
pub(crate) enum Pools {
    Postgres(PgPool),
    Sqlite(Sqlite),
}

impl Db {
    /// Connects. For SQLite the file is created if it is not there; its folder must be.
    pub async fn open(options: &Options) -> Result<Self> {
        match Dialect::of(&options.url)? {
            Dialect::Postgres => open_postgres(options).await,
            Dialect::Sqlite => open_sqlite(options).await,
        }
    }

    fn of(pools: Pools) -> Self {
        let faults = FaultInjection::default();
        Self { pools, faults }
    }

    /// Returns the same database with injected faults, for simulations.
    #[must_use]
    pub fn over(&self, faults: Arc<dyn Faults>) -> Self {
        Self {
            pools: self.pools.clone(),
            faults: FaultInjection::with(faults),
        }
    }

    /// How many transactions the database takes at once; more wait for each other.
    pub fn writers_max(&self) -> usize {
        match &self.pools {
            Pools::Postgres(pool) => pool.options().get_max_connections() as usize,
            Pools::Sqlite(_) => 1,
        }
    }

    pub(crate) fn dialect(&self) -> Dialect {
        match self.pools {
            Pools::Postgres(_) => Dialect::Postgres,
            Pools::Sqlite(_) => Dialect::Sqlite,
        }
    }

    pub(crate) fn pools(&self) -> &Pools {
        &self.pools
    }

    /// Returns a connection to read with.
    ///
    /// The futures of sqlx are kilobytes large. They are boxed here and below; otherwise every future that awaits this
    /// one would have that size.
    pub async fn read(&self) -> Result<Conn> {
        self.faults.before_connection().await?;
        Ok(Conn(match &self.pools {
            Pools::Postgres(pool) => DriverConnection::Postgres(Box::pin(pool.acquire()).await?),
            Pools::Sqlite(sqlite) => DriverConnection::Sqlite(sqlite.read().await?),
        }))
    }

    /// Begins a transaction to write with.
    pub async fn write(&self) -> Result<Tx> {
        self.write_for(Durability::Power).await
    }

    /// Begins a transaction whose commit is as durable as given.
    pub async fn write_for(&self, durability: Durability) -> Result<Tx> {
        self.faults.before_connection().await?;
        let conn = Conn(match &self.pools {
            Pools::Postgres(pool) => {
                // Sent in the same round trip as BEGIN.
                let begin = match durability {
                    Durability::Process => "BEGIN; SET LOCAL synchronous_commit = off",
                    Durability::Power => "BEGIN",
                };
                DriverConnection::PostgresTx(Box::pin(pool.begin_with(begin)).await?)
            }
            Pools::Sqlite(sqlite) => DriverConnection::SqliteTx(sqlite.begin(durability).await?),
        });
        Ok(Tx(conn, self.faults.clone()))
    }

    /// Fails if the database does not respond.
    pub async fn ping(&self) -> Result<()> {
        match &self.pools {
            Pools::Postgres(pool) => {
                Box::pin(sqlx::query("SELECT 1").execute(pool)).await?;
            }
            Pools::Sqlite(sqlite) => sqlite.read().await?.ping()?,
        }
        Ok(())
    }

    /// Closes every connection once it is idle; for SQLite this also checkpoints the write-ahead log.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Postgres(pool) => pool.close().await,
            Pools::Sqlite(sqlite) => sqlite.close().await,
        }
    }
}

async fn open_postgres(options: &Options) -> Result<Db> {
    let ms = |duration: Duration| duration.as_millis().to_string();
    let connect = PgConnectOptions::from_str(&options.url)
        .map_err(|_| Error::Url("it is not a valid PostgreSQL URL".to_owned()))?
        .application_name("proliferate")
        .statement_cache_capacity(512)
        .log_statements(tracing::log::LevelFilter::Off)
        .options([
            ("statement_timeout", ms(options.statement_timeout)),
            ("lock_timeout", ms(limits::DATABASE_LOCK_TIMEOUT)),
            (
                "idle_in_transaction_session_timeout",
                ms(limits::DATABASE_IDLE_IN_TRANSACTION_TIMEOUT),
            ),
        ]);
    let pool = PgPoolOptions::new()
        .max_connections(options.connections_max)
        .acquire_timeout(options.acquire_timeout)
        .idle_timeout(limits::DATABASE_IDLE_TIMEOUT)
        // Testing each connection would cost every query a round trip; one that was used a moment ago needs no test.
        .test_before_acquire(false)
        .before_acquire(|connection, meta| {
            Box::pin(async move {
                if meta.idle_for >= limits::DATABASE_CHECK_AFTER_IDLE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .connect_with(connect)
        .await?;
    Ok(Db::of(Pools::Postgres(pool)))
}

async fn open_sqlite(options: &Options) -> Result<Db> {
    let path = sqlite_path(&options.url)?;
    let sqlite = Sqlite::open(&path, options.connections_max, options.acquire_timeout).await?;
    Ok(Db::of(Pools::Sqlite(sqlite)))
}

/// The file of a SQLite URL. In-memory databases are refused: each connection would get its own.
fn sqlite_path(url: &str) -> Result<PathBuf> {
    let path = url
        .strip_prefix("sqlite://")
        .or_else(|| url.strip_prefix("sqlite:"));
    match path {
        None | Some("") => Err(Error::Url(
            "sqlite: needs a file, as in sqlite:data.db".to_owned(),
        )),
        Some(path) if path.contains(":memory:") || path.contains('?') => {
            Err(Error::Url("sqlite: takes a file and no options".to_owned()))
        }
        Some(path) => Ok(PathBuf::from(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_choose_the_database() {
        assert_eq!(Dialect::of("sqlite:x.db").unwrap(), Dialect::Sqlite);
        assert_eq!(Dialect::of("postgres://h/d").unwrap(), Dialect::Postgres);
        assert_eq!(Dialect::of("postgresql://h/d").unwrap(), Dialect::Postgres);
        for bad in ["", "mysql://x", "x.db"] {
            assert!(matches!(Dialect::of(bad), Err(Error::Url(_))), "{bad}");
        }
    }

    #[test]
    fn sqlite_urls_name_a_file() {
        assert_eq!(
            sqlite_path("sqlite:///var/x.db").unwrap(),
            PathBuf::from("/var/x.db")
        );
        assert_eq!(sqlite_path("sqlite:x.db").unwrap(), PathBuf::from("x.db"));
        for bad in ["sqlite:", "sqlite::memory:", "sqlite:x?mode=ro"] {
            assert!(sqlite_path(bad).is_err(), "{bad}");
        }
    }
}
