//! What is being made: a file for each sandbox, builder and snapshot that is on its way, named after who makes it.
//!
//! INVARIANT: the file is there before the first of what it names and goes after the last step. So a process that finds one of
//! a process that died knows what was not finished, and does not remove what another process is still making.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{Error, Result, SandboxId, pid::Process};

/// Where the files are: the directory of all sockets, in which other names are ids.
#[derive(Debug, Clone)]
pub(super) struct Making(PathBuf);

/// Ends the name of a file whose maker gave up and lives.
const LEFT: &str = ".left";

/// Something on its way. Dropping a mark that is not done renames its file: this process does not go on with it, and
/// cleaning up removes what there is of it.
#[derive(Debug)]
#[must_use]
pub(super) struct Mark {
    path: PathBuf,
    done: bool,
}

impl Mark {
    /// It is whole, or nothing of it is left.
    pub(super) fn done(mut self) {
        self.done = true;
        let _ = fs::remove_file(&self.path);
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        let mut left = self.path.clone().into_os_string();
        left.push(LEFT);
        if let Err(error) = fs::rename(&self.path, left) {
            tracing::warn!(%error, "what was given up counts as under way until this process ends");
        }
    }
}

/// How something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    UnderWay,
    /// Its maker died, or gave up.
    Left,
    /// It was not started, or it is done.
    Done,
}

impl Making {
    pub(super) fn in_directory(directory: &Path) -> Self {
        Self(directory.to_owned())
    }

    /// `what` is its name at the engine.
    pub(super) fn begin(&self, what: &str) -> Result<Mark> {
        let failed = |error: io::Error| Error::failed("noting what is made", error);
        let me = Process::of(std::process::id()).map_err(failed)?;
        let path = self.0.join(format!(".{}-{what}", me.name()));
        fs::write(&path, []).map_err(failed)?;
        Ok(Mark { path, done: false })
    }

    pub(super) fn of(&self, what: &str) -> Progress {
        self.progress(|name| name == what)
    }

    /// Of a snapshot of this sandbox.
    pub(super) fn of_snapshot(&self, id: &SandboxId) -> Progress {
        let begin = draft_of(id, "");
        self.progress(|name| name.starts_with(&begin))
    }

    fn progress(&self, is_it: impl Fn(&str) -> bool) -> Progress {
        let mut found = Progress::Done;
        for note in self.all() {
            if is_it(&note.what) {
                if !note.is_left() {
                    return Progress::UnderWay;
                }
                found = Progress::Left;
            }
        }
        found
    }

    /// Forgets what dead processes were making and what living ones gave up, once it is gone.
    pub(super) fn forget(&self) {
        for note in self.all() {
            if note.is_left() {
                let _ = fs::remove_file(note.path);
            }
        }
    }

    fn all(&self) -> Vec<Note> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let read = |entry: fs::DirEntry| {
            let name = entry.file_name();
            let name = name.to_str()?.strip_prefix('.')?;
            let what = name.splitn(3, '-').nth(2)?;
            let given_up = what.strip_suffix(LEFT);
            Some(Note {
                maker: Process::from_name(name)?,
                what: given_up.unwrap_or(what).to_owned(),
                given_up: given_up.is_some(),
                path: entry.path(),
            })
        };
        entries.filter_map(read).collect()
    }
}

/// What a file says.
struct Note {
    maker: Process,
    what: String,
    given_up: bool,
    path: PathBuf,
}

impl Note {
    /// Whether no process goes on with it.
    fn is_left(&self) -> bool {
        self.given_up || self.maker.is_alive() == Some(false)
    }
}

/// What a snapshot of a sandbox is called while it is made.
pub(super) fn draft_of(id: &SandboxId, random: &str) -> String {
    format!("draft-{id}-{random}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_is_told_by_who_makes_it() {
        let dir = tempfile::TempDir::new().unwrap();
        let making = Making::in_directory(dir.path());
        let id: SandboxId = "0123456789ab".parse().unwrap();
        assert_eq!(making.of("proliferate-a-b"), Progress::Done);
        let mark = making.begin("proliferate-a-b").unwrap();
        assert_eq!(making.of("proliferate-a-b"), Progress::UnderWay);
        assert_eq!(making.of("proliferate-a"), Progress::Done);
        making.forget();
        assert_eq!(making.of("proliferate-a-b"), Progress::UnderWay);
        mark.done();
        assert_eq!(making.of("proliferate-a-b"), Progress::Done);
        // Of a process that had our number before.
        let name = format!(".{}-1-{}", std::process::id(), draft_of(&id, "7"));
        fs::write(dir.path().join(name), []).unwrap();
        assert_eq!(making.of(&draft_of(&id, "7")), Progress::Left);
        assert_eq!(making.of_snapshot(&id), Progress::Left);
        let mark = making.begin(&draft_of(&id, "8")).unwrap();
        assert_eq!(making.of_snapshot(&id), Progress::UnderWay);
        assert_eq!(making.of(&draft_of(&id, "7")), Progress::Left);
        making.forget();
        mark.done();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_a_living_process_gave_up_is_left() {
        let dir = tempfile::TempDir::new().unwrap();
        let making = Making::in_directory(dir.path());
        let id: SandboxId = "0123456789ab".parse().unwrap();
        let draft = draft_of(&id, "7");
        drop(making.begin(&draft).unwrap());
        assert_eq!(making.of(&draft), Progress::Left);
        assert_eq!(making.of_snapshot(&id), Progress::Left);
        // Another try is not the one that was given up.
        let again = making.begin(&draft_of(&id, "8")).unwrap();
        assert_eq!(making.of_snapshot(&id), Progress::UnderWay);
        again.done();
        making.forget();
        assert_eq!(making.of(&draft), Progress::Done);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
