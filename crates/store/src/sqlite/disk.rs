//! What a file's disk is asked to do besides commits, and how long it takes.

use std::{
    fs::File,
    io,
    mem::ManuallyDrop,
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use domain::limits::{
    SQLITE_COMMITS_PER_FOLD, SQLITE_DISK_SLOW, SQLITE_FOLD_REST_PAGES, SQLITE_FOLDS_MAX,
};
use rusqlite::{Connection, OpenFlags};
use tokio::runtime::{Handle as Runtime, RuntimeFlavor};

/// How long a connection has waited of late: whether a thread may wait for it, or other tasks have to be taken from it.
///
/// Taking them is dear beyond the moment: the thread that gets them is woken on the same processor, and the system may
/// leave both there for long while another processor is idle.
#[derive(Debug, Default)]
pub(super) struct Pace(Duration);

impl Pace {
    /// Does what waits for the disk.
    #[expect(
        clippy::disallowed_methods,
        reason = "the machine's speed, not the product's time"
    )]
    pub(super) fn wait<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let done = self.wait_seldom(work);
        self.took(started.elapsed());
        done
    }

    /// Does what waits for the disk, and is no measure of it.
    pub(super) fn wait_seldom<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.is_slow() {
            waiting(work)
        } else {
            work()
        }
    }

    /// One slow wait does not make a slow disk, however slow it was, nor one quick wait a quick one.
    fn took(&mut self, last: Duration) {
        self.0 = (self.0 * 7 + last.min(SQLITE_DISK_SLOW * 2)) / 8;
    }

    fn is_slow(&self) -> bool {
        self.0 >= SQLITE_DISK_SLOW
    }
}

/// Does what may wait for the disk. Other tasks of this thread are taken over by another one meanwhile;
/// a runtime of one thread has nobody to hand them to.
pub(super) fn waiting<T>(work: impl FnOnce() -> T) -> T {
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

/// Folds the write-ahead log into the file on a thread beside, so that nobody's commit waits for it.
///
/// What is written meanwhile stays in the log, and a log that is never folded to its end is never begun anew. So it is
/// folded again until little is left, and that the writer folds itself. SQLite asks the disk for the file only at that end,
/// when everybody waits for the writer, so it is asked beside for all but the rest. Where there are no threads, SQLite does
/// it all.
#[derive(Debug, Default)]
pub(super) struct Folding {
    commits: AtomicU32,
    is_under_way: AtomicBool,
    beside: Arc<Beside>,
}

/// What the thread beside has.
#[derive(Debug, Default)]
struct Beside {
    is_nearly_done: AtomicBool,
    /// Kept: a new one reads the whole schema first.
    connection: Mutex<Option<Connection>>,
    /// Never closed: that would take away the locks that SQLite has on the same file in this process.
    file: OnceLock<ManuallyDrop<File>>,
}

impl Folding {
    /// The writer has committed.
    pub(super) fn committed(&self, path: &Path, connection: &Connection, pace: &Pace) {
        if self.beside.is_nearly_done.swap(false, Ordering::Relaxed) {
            _ = pace.wait_seldom(|| fold(connection));
            self.commits.store(0, Ordering::Relaxed);
            self.is_under_way.store(false, Ordering::Relaxed);
            return;
        }
        let commits = self.commits.fetch_add(1, Ordering::Relaxed) + 1;
        let is_due = commits >= SQLITE_COMMITS_PER_FOLD && has_threads();
        if !is_due || self.is_under_way.swap(true, Ordering::Relaxed) {
            return;
        }
        let (path, beside) = (path.to_owned(), Arc::clone(&self.beside));
        tokio::task::spawn_blocking(move || {
            if let Err(error) = beside.fold(&path) {
                tracing::warn!(%error, "the write-ahead log is not folded in");
            }
            beside.is_nearly_done.store(true, Ordering::Relaxed);
        });
    }

    /// Lets go of the file.
    pub(super) fn close(&self) {
        drop(self.beside.connection().take());
    }
}

impl Beside {
    fn fold(&self, path: &Path) -> rusqlite::Result<()> {
        let mut kept = self.connection();
        let connection = match kept.take() {
            Some(connection) => connection,
            // A file that is gone by now is not made again.
            None => Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?,
        };
        let mut pages = 0;
        for _ in 0..SQLITE_FOLDS_MAX {
            let before = std::mem::replace(&mut pages, fold(&connection));
            if let Err(error) = self.sync(path) {
                // SQLite asks again, and hears of it too.
                tracing::warn!(%error, "the disk did not take what was folded in");
            }
            if pages.saturating_sub(before) <= SQLITE_FOLD_REST_PAGES {
                break;
            }
        }
        *kept = Some(connection);
        Ok(())
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        if self.file.get().is_none() {
            // Folding is one thread's at a time, so nobody opens a second one.
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

/// As much as can be without making anybody wait. What cannot be now is the next one's. How long the log is, in pages.
fn fold(connection: &Connection) -> u32 {
    let folded = connection
        .prepare_cached("PRAGMA wal_checkpoint(PASSIVE)")
        .and_then(|mut fold| fold.query_row([], |row| row.get("log")));
    folded.unwrap_or_else(|error| {
        tracing::debug!(%error, "the write-ahead log was not folded in");
        0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_slow_when_it_is_slow_for_a_while() {
        let (quick, slow) = (SQLITE_DISK_SLOW / 10, SQLITE_DISK_SLOW * 2);
        let mut pace = Pace::default();
        pace.took(slow * 1000);
        assert!(!pace.is_slow(), "one slow wait");
        for _ in 0..20 {
            pace.took(slow);
        }
        assert!(pace.is_slow(), "many slow waits");
        pace.took(quick);
        assert!(pace.is_slow(), "one quick wait");
        for _ in 0..20 {
            pace.took(quick);
        }
        assert!(!pace.is_slow(), "many quick waits");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn only_a_slow_disk_takes_other_tasks_from_the_thread() {
        // Only a thread that has no tasks may run another one to its end.
        let has_no_tasks = || {
            let runtime = Runtime::current();
            std::panic::catch_unwind(|| runtime.block_on(async {})).is_ok()
        };
        let mut pace = Pace::default();
        assert!(!pace.wait(has_no_tasks));
        for _ in 0..20 {
            pace.took(SQLITE_DISK_SLOW * 2);
        }
        assert!(pace.wait(has_no_tasks));
    }
}
