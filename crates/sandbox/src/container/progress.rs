//! Progress notes: a file for each sandbox, builder and snapshot that is being made, named after the process that makes it.
//!
//! INVARIANT: the file is there before the first of what it names and is removed after the last step. So a process that finds
//! one of a process that died knows what was not finished, and does not remove what another process is still making.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::names::draft_name;
use crate::{Error, Result, SandboxId, pid::ProcessIdentity};

/// The files are in the directory of all sockets, in which other names are ids.
#[derive(Debug, Clone)]
pub(super) struct ProgressNotes(PathBuf);

/// Ends the name of a file whose maker gave up and lives.
const ABANDONED: &str = ".left";

/// The note of something that this process makes. Dropping a note that was not removed renames its file: this process does
/// not go on with it, and cleaning up removes what there is of it.
#[derive(Debug)]
#[must_use]
pub(super) struct ProgressNote {
    path: PathBuf,
    is_removed: bool,
}

impl ProgressNote {
    /// Removes the note: what it names is whole, or nothing of it is left.
    pub(super) fn remove(mut self) {
        self.is_removed = true;
        let _ = fs::remove_file(&self.path);
    }
}

impl Drop for ProgressNote {
    fn drop(&mut self) {
        if self.is_removed {
            return;
        }
        let mut abandoned = self.path.clone().into_os_string();
        abandoned.push(ABANDONED);
        if let Err(error) = fs::rename(&self.path, abandoned) {
            tracing::warn!(%error, "what was given up counts as under way until this process ends");
        }
    }
}

/// How far something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    UnderWay,
    /// Its maker died, or gave up.
    Abandoned,
    /// It was not started, or it is done.
    Done,
}

impl ProgressNotes {
    pub(super) fn in_directory(directory: &Path) -> Self {
        Self(directory.to_owned())
    }

    /// Writes the note of something by its name at the engine.
    pub(super) fn begin(&self, name: &str) -> Result<ProgressNote> {
        let failed = |error: io::Error| Error::failed("noting what is made", error);
        let me = ProcessIdentity::of(std::process::id()).map_err(failed)?;
        let path = self.0.join(format!(".{}-{name}", me.name()));
        fs::write(&path, []).map_err(failed)?;
        Ok(ProgressNote {
            path,
            is_removed: false,
        })
    }

    pub(super) fn progress_of(&self, name: &str) -> Progress {
        self.progress(|noted| noted == name)
    }

    /// Of any snapshot of this sandbox.
    pub(super) fn progress_of_snapshot(&self, id: &SandboxId) -> Progress {
        let prefix = draft_name(id, "");
        self.progress(|noted| noted.starts_with(&prefix))
    }

    fn progress(&self, is_meant: impl Fn(&str) -> bool) -> Progress {
        let mut found = Progress::Done;
        for file in self.files() {
            if is_meant(&file.name) {
                if !file.is_abandoned() {
                    return Progress::UnderWay;
                }
                found = Progress::Abandoned;
            }
        }
        found
    }

    /// Removes the notes of what dead processes were making and of what living ones gave up. Call it when all of that is
    /// removed.
    pub(super) fn remove_abandoned(&self) {
        for file in self.files() {
            if file.is_abandoned() {
                let _ = fs::remove_file(file.path);
            }
        }
    }

    fn files(&self) -> Vec<NoteFile> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let read = |entry: fs::DirEntry| {
            let name = entry.file_name();
            let name = name.to_str()?.strip_prefix('.')?;
            let noted = name.splitn(3, '-').nth(2)?;
            let given_up = noted.strip_suffix(ABANDONED);
            Some(NoteFile {
                maker: ProcessIdentity::from_name(name)?,
                name: given_up.unwrap_or(noted).to_owned(),
                given_up: given_up.is_some(),
                path: entry.path(),
            })
        };
        entries.filter_map(read).collect()
    }
}

/// What the name of a file says.
struct NoteFile {
    maker: ProcessIdentity,
    name: String,
    given_up: bool,
    path: PathBuf,
}

impl NoteFile {
    /// Whether no process goes on with it.
    fn is_abandoned(&self) -> bool {
        self.given_up || self.maker.is_alive() == Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_under_way_is_known_by_its_living_maker() {
        let dir = tempfile::TempDir::new().unwrap();
        let notes = ProgressNotes::in_directory(dir.path());
        let id: SandboxId = "0123456789ab".parse().unwrap();
        assert_eq!(notes.progress_of("proliferate-a-b"), Progress::Done);
        let note = notes.begin("proliferate-a-b").unwrap();
        assert_eq!(notes.progress_of("proliferate-a-b"), Progress::UnderWay);
        assert_eq!(notes.progress_of("proliferate-a"), Progress::Done);
        notes.remove_abandoned();
        assert_eq!(notes.progress_of("proliferate-a-b"), Progress::UnderWay);
        note.remove();
        assert_eq!(notes.progress_of("proliferate-a-b"), Progress::Done);
        // Of a process that had our number before.
        let name = format!(".{}-1-{}", std::process::id(), draft_name(&id, "7"));
        fs::write(dir.path().join(name), []).unwrap();
        assert_eq!(
            notes.progress_of(&draft_name(&id, "7")),
            Progress::Abandoned
        );
        assert_eq!(notes.progress_of_snapshot(&id), Progress::Abandoned);
        let note = notes.begin(&draft_name(&id, "8")).unwrap();
        assert_eq!(notes.progress_of_snapshot(&id), Progress::UnderWay);
        assert_eq!(
            notes.progress_of(&draft_name(&id, "7")),
            Progress::Abandoned
        );
        notes.remove_abandoned();
        note.remove();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_a_living_process_gave_up_is_abandoned() {
        let dir = tempfile::TempDir::new().unwrap();
        let notes = ProgressNotes::in_directory(dir.path());
        let id: SandboxId = "0123456789ab".parse().unwrap();
        let draft = draft_name(&id, "7");
        drop(notes.begin(&draft).unwrap());
        assert_eq!(notes.progress_of(&draft), Progress::Abandoned);
        assert_eq!(notes.progress_of_snapshot(&id), Progress::Abandoned);
        // Another try is not the one that was given up.
        let again = notes.begin(&draft_name(&id, "8")).unwrap();
        assert_eq!(notes.progress_of_snapshot(&id), Progress::UnderWay);
        again.remove();
        notes.remove_abandoned();
        assert_eq!(notes.progress_of(&draft), Progress::Done);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
