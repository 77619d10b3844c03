//! Checkpoints: moving what the write-ahead log holds into the database file, beside the commits that go on.

use std::{
    fs::File,
    io,
    mem::ManuallyDrop,
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use domain::limits::{
    SQLITE_CHECKPOINT_REST_PAGES, SQLITE_CHECKPOINT_ROUNDS_MAX, SQLITE_COMMITS_PER_CHECKPOINT,
};
use rusqlite::{Connection, OpenFlags};
use tokio::runtime::{Handle as Runtime, RuntimeFlavor};

/// Does what may wait for the disk. Another thread of the runtime takes over the tasks of this one meanwhile; a runtime
/// with a single thread blocks.
pub(super) fn block_on_disk<T>(work: impl FnOnce() -> T) -> T {
    if has_threads() {
        tokio::task::block_in_place(work)
    } else {
        work()
    }
}

fn has_threads() -> bool {
    let runtime = Runtime::try_current();
    runtime.is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread)
}

/// Checkpoints on a background thread, so that no commit waits for the database file.
///
/// Commits during a checkpoint stay in the log, and SQLite restarts the log only when a checkpoint reaches its end. So
/// the background repeats the checkpoint until few pages are left, and the writer moves those. SQLite flushes the file
/// only at the end, while the writer waits, so the background flushes after each round and leaves little to flush. In a
/// runtime with a single thread, SQLite checkpoints within a commit (`SQLITE_AUTOCHECKPOINT_PAGES`).
#[derive(Debug, Default)]
pub(super) struct Checkpointer {
    commits: AtomicU32,
    is_under_way: AtomicBool,
    background: Arc<BackgroundCheckpoint>,
}

/// What the background thread uses.
#[derive(Debug, Default)]
struct BackgroundCheckpoint {
    has_few_pages_left: AtomicBool,
    /// Reused: a new connection reads the whole schema first.
    connection: Mutex<Option<Connection>>,
    /// Never closed: closing releases the locks that SQLite holds on the same file in this process (POSIX).
    file: OnceLock<ManuallyDrop<File>>,
}

impl Checkpointer {
    /// Counts a commit of the writer. Starts a checkpoint if one is due, and ends the one that has few pages left.
    pub(super) fn count_commit(&self, path: &Path, writer: &Connection) {
        let is_ending = &self.background.has_few_pages_left;
        if is_ending.swap(false, Ordering::Relaxed) {
            block_on_disk(|| checkpoint(writer));
            self.commits.store(0, Ordering::Relaxed);
            self.is_under_way.store(false, Ordering::Relaxed);
            return;
        }
        let commits = self.commits.fetch_add(1, Ordering::Relaxed) + 1;
        let is_due = commits >= SQLITE_COMMITS_PER_CHECKPOINT && has_threads();
        if !is_due || self.is_under_way.swap(true, Ordering::Relaxed) {
            return;
        }
        let (path, background) = (path.to_owned(), Arc::clone(&self.background));
        tokio::task::spawn_blocking(move || {
            if let Err(error) = background.run(&path) {
                tracing::warn!(%error, "the write-ahead log cannot be checkpointed in the background");
            }
            let ends = &background.has_few_pages_left;
            ends.store(true, Ordering::Relaxed);
        });
    }

    /// Closes the connection of the background thread.
    pub(super) fn close(&self) {
        drop(self.background.connection().take());
    }
}

impl BackgroundCheckpoint {
    fn run(&self, path: &Path) -> rusqlite::Result<()> {
        let mut reused = self.connection();
        let connection = match reused.take() {
            Some(connection) => connection,
            // Without CREATE: a file that was removed is not made again.
            None => Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?,
        };
        let mut pages = 0;
        for _ in 0..SQLITE_CHECKPOINT_ROUNDS_MAX {
            let before = std::mem::replace(&mut pages, checkpoint(&connection));
            if let Err(error) = self.flush(path) {
                // SQLite flushes again at the end, and reports the failure there.
                tracing::warn!(%error, "the database file cannot be flushed");
            }
            if pages.saturating_sub(before) <= SQLITE_CHECKPOINT_REST_PAGES {
                break;
            }
        }
        *reused = Some(connection);
        Ok(())
    }

    fn flush(&self, path: &Path) -> io::Result<()> {
        if self.file.get().is_none() {
            // One checkpoint runs at a time, so no second file is opened.
            let opened = ManuallyDrop::new(File::open(path)?);
            _ = self.file.set(opened);
        }
        self.file.get().map_or(Ok(()), |file| file.sync_data())
    }

    fn connection(&self) -> MutexGuard<'_, Option<Connection>> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Moves as many pages as possible without waiting for readers or the writer; the next checkpoint moves the rest.
/// Returns the length of the log in pages.
fn checkpoint(connection: &Connection) -> u32 {
    let moved = connection
        .prepare_cached("PRAGMA wal_checkpoint(PASSIVE)")
        .and_then(|mut pragma| pragma.query_row([], |row| row.get("log")));
    moved.unwrap_or_else(|error| {
        tracing::debug!(%error, "the write-ahead log was not checkpointed");
        0
    })
}
