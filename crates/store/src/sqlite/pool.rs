//! The connections to a SQLite file: one that writes, several that read.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use domain::limits;
use rusqlite::{Connection, config::DbConfig};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::checkpoint::{Checkpointer, block_on_disk};
use crate::{
    durability::Durability,
    error::{Error, Result, is_locked},
};

/// An open file; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Sqlite {
    writer: Arc<Pool>,
    readers: Arc<Pool>,
}

/// Idle connections. There are never more than permits.
#[derive(Debug)]
struct Pool {
    path: PathBuf,
    role: Role,
    free: Mutex<Vec<Open>>,
    permits: Arc<Semaphore>,
    size: u32,
    acquire_timeout: Duration,
    closed: AtomicBool,
    checkpointer: Checkpointer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Writer,
    Reader,
}

#[derive(Debug)]
struct Open {
    connection: Connection,
    /// Whether a commit waits for the disk.
    synced: bool,
}

/// A connection in use. Dropping it returns it to its pool and rolls back a transaction that was not committed.
#[derive(Debug)]
pub(crate) struct SqliteConnection {
    open: Option<Open>,
    pool: Arc<Pool>,
    // Dropped after `open` is returned, so that the next holder of the permit finds a connection.
    _permit: OwnedSemaphorePermit,
}

impl Sqlite {
    pub(crate) async fn open(path: &Path, readers: u32, acquire_timeout: Duration) -> Result<Self> {
        let pool = |role, size| {
            Arc::new(Pool {
                path: path.to_owned(),
                role,
                free: Mutex::default(),
                permits: Arc::new(Semaphore::new(size as usize)),
                size,
                acquire_timeout,
                closed: AtomicBool::new(false),
                checkpointer: Checkpointer::default(),
            })
        };
        let sqlite = Self {
            writer: pool(Role::Writer, 1),
            readers: pool(Role::Reader, readers),
        };
        // The writer creates the file.
        drop(sqlite.writer.acquire().await?);
        drop(sqlite.readers.acquire().await?);
        Ok(sqlite)
    }

    pub(crate) async fn read(&self) -> Result<SqliteConnection> {
        self.readers.acquire().await
    }

    /// A transaction on the one connection that writes.
    ///
    /// IMMEDIATE: a transaction that begins by reading must not find at its first write that another
    /// process wrote in between.
    pub(crate) async fn begin(&self, durability: Durability) -> Result<SqliteConnection> {
        let mut handle = self.writer.acquire().await?;
        handle.sync(durability == Durability::Power)?;
        let locked = tokio::time::timeout(limits::SQLITE_BUSY_TIMEOUT, async {
            loop {
                let begun = step(handle.connection(), "BEGIN IMMEDIATE");
                if !begun.as_ref().is_err_and(is_locked) {
                    return begun;
                }
                tokio::time::sleep(limits::SQLITE_BUSY_PAUSE).await;
            }
        });
        match locked.await {
            Ok(begun) => begun?,
            Err(_) => return Err(Error::unavailable("another process keeps the file locked")),
        }
        Ok(handle)
    }

    /// Waits for the connections in use and closes them all; the last one checkpoints the write-ahead log.
    pub(crate) async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

impl Pool {
    async fn acquire(self: &Arc<Self>) -> Result<SqliteConnection> {
        let permit = match Arc::clone(&self.permits).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => self.wait().await?,
        };
        if self.closed.load(Ordering::Acquire) {
            return Err(Error::unavailable("shutting down"));
        }
        let free = self.free().pop();
        let open = match free {
            Some(open) => open,
            None => block_on_disk(|| Open::new(&self.path, self.role))?,
        };
        Ok(SqliteConnection {
            open: Some(open),
            pool: Arc::clone(self),
            _permit: permit,
        })
    }

    async fn wait(&self) -> Result<OwnedSemaphorePermit> {
        let permit = Arc::clone(&self.permits).acquire_owned();
        match tokio::time::timeout(self.acquire_timeout, permit).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) => Err(Error::unavailable("shutting down")),
            Err(_) => Err(Error::unavailable("every connection is in use")),
        }
    }

    async fn close(&self) {
        self.closed.store(true, Ordering::Release);
        let all = self.permits.acquire_many(self.size).await;
        self.checkpointer.close();
        self.free().clear();
        drop(all);
    }

    fn free(&self) -> MutexGuard<'_, Vec<Open>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn new(path: &Path, role: Role) -> rusqlite::Result<Self> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(limits::SQLITE_BUSY_TIMEOUT)?;
        connection.set_prepared_statement_cache_capacity(limits::SQLITE_STATEMENTS_KEPT);
        // Otherwise SQLite plans a statement with a limit again for each new limit.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", "ON")?;
        match role {
            Role::Writer => {
                let pages = limits::SQLITE_AUTOCHECKPOINT_PAGES;
                connection.pragma_update(None, "wal_autocheckpoint", pages)?;
                // Negative: SQLite reads the value as KiB instead of pages.
                let kept = -i64::from(limits::SQLITE_WRITER_CACHE_KIB);
                connection.pragma_update(None, "cache_size", kept)?;
                // The task waits for a lock instead: `Sqlite::begin`.
                connection.busy_timeout(Duration::ZERO)?;
            }
            Role::Reader => connection.pragma_update(None, "query_only", "ON")?,
        }
        Ok(Self {
            connection,
            synced: true,
        })
    }
}

impl SqliteConnection {
    /// Takes `&mut self`: a connection is used by one thread at a time, so a waiting task may hold it but not share it.
    pub(crate) fn connection(&mut self) -> &Connection {
        &self.open().connection
    }

    fn sync(&mut self, wanted: bool) -> Result<()> {
        let open = self.open();
        if open.synced != wanted {
            let level = if wanted { "FULL" } else { "NORMAL" };
            open.connection.pragma_update(None, "synchronous", level)?;
            open.synced = wanted;
        }
        Ok(())
    }

    /// Fails if the file cannot be read.
    pub(crate) fn ping(&mut self) -> Result<()> {
        let connection = self.connection();
        Ok(connection.query_row("SELECT 1", [], |_| Ok(()))?)
    }

    pub(crate) fn commit(mut self) -> Result<()> {
        let pool = Arc::clone(&self.pool);
        let Open { connection, synced } = self.open();
        let commit = || step(connection, "COMMIT");
        if *synced {
            block_on_disk(commit)?;
        } else {
            commit()?;
        }
        pool.checkpointer.count_commit(&pool.path, connection);
        Ok(())
    }

    fn open(&mut self) -> &mut Open {
        match &mut self.open {
            Some(open) => open,
            None => unreachable!("only dropping takes it"),
        }
    }
}

/// Runs a statement that begins or ends a transaction.
fn step(connection: &Connection, sql: &'static str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute([]).map(drop)
}

impl Drop for SqliteConnection {
    fn drop(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        let in_transaction = !open.connection.is_autocommit();
        if in_transaction && open.connection.execute_batch("ROLLBACK").is_err() {
            // Closing it rolls back too.
            return;
        }
        self.pool.free().push(open);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use rusqlite::StatementStatus;

    use super::*;

    async fn open(directory: &Path) -> Sqlite {
        let path = directory.join("test.db");
        let opened = Sqlite::open(&path, 2, Duration::from_secs(1)).await;
        opened.unwrap()
    }

    fn pragma(handle: &mut SqliteConnection, name: &str) -> u32 {
        let value = handle
            .connection()
            .pragma_query_value(None, name, |row| row.get(0));
        value.unwrap()
    }

    #[tokio::test]
    async fn each_transaction_is_as_durable_as_it_asks() {
        let directory = tempfile::tempdir().unwrap();
        let sqlite = open(directory.path()).await;
        let (full, normal) = (2, 1);
        for (durability, synchronous) in [
            (Durability::Power, full),
            (Durability::Process, normal),
            (Durability::Power, full),
        ] {
            let mut handle = sqlite.begin(durability).await.unwrap();
            assert_eq!(pragma(&mut handle, "synchronous"), synchronous);
        }
    }

    #[tokio::test]
    async fn what_was_not_committed_did_not_happen() {
        let directory = tempfile::tempdir().unwrap();
        let sqlite = open(directory.path()).await;
        let mut dropped = sqlite.begin(Durability::Power).await.unwrap();
        let created = dropped.connection().execute_batch("CREATE TABLE t (n)");
        created.unwrap();
        drop(dropped);
        let mut handle = sqlite.begin(Durability::Power).await.unwrap();
        let found = handle.connection().table_exists(None, "t");
        assert!(!found.unwrap());
    }

    /// The clock is paused and advances with sleeps only: waiting for a lock that is never released ends.
    #[tokio::test(start_paused = true)]
    async fn a_lock_of_another_process_is_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let sqlite = open(directory.path()).await;
        let other = Connection::open(directory.path().join("test.db")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let refused = sqlite.begin(Durability::Power).await.unwrap_err();
        assert!(refused.is_retryable(), "{refused}");
        let freed = async {
            tokio::time::sleep(limits::SQLITE_BUSY_TIMEOUT / 2).await;
            other.execute_batch("COMMIT").unwrap();
        };
        let (begun, ()) = tokio::join!(sqlite.begin(Durability::Power), freed);
        begun.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_is_waited_for_and_none_is_given_out_after_the_end() {
        let directory = tempfile::tempdir().unwrap();
        let sqlite = open(directory.path()).await;
        let held = sqlite.begin(Durability::Power).await.unwrap();
        let refused = sqlite.begin(Durability::Power).await.unwrap_err();
        assert!(refused.is_retryable(), "{refused}");
        drop(held);
        sqlite.close().await;
        assert!(sqlite.read().await.unwrap_err().is_retryable());
    }

    /// Under writes without a pause; each commit is some pages.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn the_log_restarts_while_it_is_written() {
        let directory = tempfile::tempdir().unwrap();
        let sqlite = open(directory.path()).await;
        let write = async |sql: &str| {
            let mut handle = sqlite.begin(Durability::Process).await.unwrap();
            handle.connection().execute_batch(sql).unwrap();
            handle.commit().unwrap();
        };
        write("CREATE TABLE t (bytes)").await;
        let log = directory.path().join("test.db-wal");
        let mut last = None;
        for _ in 0..limits::SQLITE_COMMITS_PER_CHECKPOINT * 20 {
            write("INSERT INTO t VALUES (randomblob(4000))").await;
            // The salts in the header change when the log restarts.
            let mut header = [0; 32];
            let mut log = std::fs::File::open(&log).unwrap();
            log.read_exact(&mut header).unwrap();
            let salt = header[16..20].to_vec();
            if last.as_ref().is_some_and(|last| *last != salt) {
                return;
            }
            last = Some(salt);
        }
        panic!("the log only grew");
    }

    #[tokio::test]
    async fn a_list_is_planned_once_whatever_its_limit() {
        let directory = tempfile::tempdir().unwrap();
        let sqlite = open(directory.path()).await;
        let mut reader = sqlite.read().await.unwrap();
        let list = "SELECT name FROM sqlite_schema ORDER BY name LIMIT ?1";
        let mut list = reader.connection().prepare_cached(list).unwrap();
        for limit in 1..4 {
            let mut rows = list.query([limit]).unwrap();
            assert!(rows.next().unwrap().is_none());
        }
        assert_eq!(list.get_status(StatementStatus::RePrepare), 0);
    }

    #[tokio::test]
    async fn a_reader_cannot_write() {
        let directory = tempfile::tempdir().unwrap();
        let sqlite = open(directory.path()).await;
        let mut reader = sqlite.read().await.unwrap();
        let created = reader.connection().execute_batch("CREATE TABLE t (n)");
        assert!(created.is_err());
    }
}
