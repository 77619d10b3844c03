//! The owner record: what there may be of a sandbox on this machine, written before the first of it is made.
//!
//! INVARIANT: whatever has a sandbox's id in its name has a record, or had one that was removed after it.
//! So the records list everything, also after a process was killed at any moment.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{remove::remove_all, tier::Tier};
use crate::{
    Error, Result, SandboxId,
    pid::{ProcessIdentity, boot_id},
};

const FILE: &str = "record.json";
const WRITING: &str = "writing the record";

fn text(record: &SandboxRecord) -> Result<Vec<u8>> {
    serde_json::to_vec(record).map_err(|error| Error::failed(WRITING, error))
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SandboxRecord {
    pub(super) id: SandboxId,
    pub(super) label: String,
    pub(super) incarnation: i64,
    pub(super) tier: Tier,
    /// After another boot nothing of it runs.
    pub(super) boot_id: String,
    /// The process that makes it.
    pub(super) owner: ProcessIdentity,
    /// What its home directory stands on; not to be collected.
    pub(super) template: String,
    /// Topmost first.
    pub(super) layers: Vec<String>,
    pub(super) parent: Option<crate::SnapshotId>,
    pub(super) state: RecordState,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub(super) enum RecordState {
    Creating,
    Running {
        /// The first process inside.
        init: ProcessIdentity,
        /// Waits for it, outside; lives where the sandbox's disk is mounted.
        monitor: ProcessIdentity,
    },
    Destroying {
        /// Those two, if it had them: a process that continues an interrupted destruction has to end them.
        #[serde(default)]
        processes: Option<(ProcessIdentity, ProcessIdentity)>,
    },
}

impl SandboxRecord {
    pub(super) fn init(&self) -> Result<ProcessIdentity> {
        self.running().map(|(init, _)| init)
    }

    /// Returns the first process and its monitor, if the sandbox lives.
    pub(super) fn running(&self) -> Result<(ProcessIdentity, ProcessIdentity)> {
        match &self.state {
            RecordState::Running { init, monitor, .. }
                if self.boot_id == boot_id() && init.is_alive() != Some(false) =>
            {
                Ok((*init, *monitor))
            }
            _ => Err(Error::Gone),
        }
    }

    /// Returns the same two, whether or not they live.
    pub(super) fn processes(&self) -> Option<(ProcessIdentity, ProcessIdentity)> {
        if self.boot_id != boot_id() {
            return None;
        }
        match &self.state {
            RecordState::Creating => None,
            RecordState::Running { init, monitor, .. } => Some((*init, *monitor)),
            RecordState::Destroying { processes } => *processes,
        }
    }

    /// Whether it ran and does not any more. Its disk is still there, perhaps with the only copy of
    /// a user's work.
    pub(super) fn is_dead(&self) -> bool {
        matches!(self.state, RecordState::Running { .. }) && self.running().is_err()
    }

    /// Whether it never ran and never will, or was being removed.
    pub(super) fn is_abandoned(&self) -> bool {
        match self.state {
            RecordState::Creating => {
                self.boot_id != boot_id() || self.owner.is_alive() == Some(false)
            }
            RecordState::Running { .. } => false,
            RecordState::Destroying { .. } => true,
        }
    }
}

/// The directory of all records.
#[derive(Debug, Clone)]
pub(super) struct RecordStore(PathBuf);

impl RecordStore {
    pub(super) fn open(directory: &Path) -> io::Result<Self> {
        let path = directory.join("sandboxes");
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// The directory of a sandbox.
    pub(super) fn dir(&self, id: &SandboxId) -> PathBuf {
        self.0.join(id.as_str())
    }

    /// Writes the first record of a sandbox, together with its directory, so that no cleanup finds one without.
    pub(super) fn begin(&self, record: &SandboxRecord) -> Result<()> {
        let failed = |error: io::Error| Error::failed(WRITING, error);
        let new = self
            .0
            .join(format!(".{}-{}", record.owner.name(), record.id));
        fs::create_dir(&new).map_err(failed)?;
        fs::write(new.join(FILE), text(record)?).map_err(failed)?;
        fs::rename(&new, self.dir(&record.id)).map_err(failed)
    }

    pub(super) fn write(&self, record: &SandboxRecord) -> Result<()> {
        let failed = |error: io::Error| Error::failed(WRITING, error);
        let dir = self.dir(&record.id);
        // No fsync: a machine that went down has nothing left that a record would find.
        let new = dir.join("record.new");
        fs::write(&new, text(record)?).map_err(failed)?;
        fs::rename(&new, dir.join(FILE)).map_err(failed)
    }

    /// Removes directories that killed processes did not finish. Nothing else was made by then.
    pub(super) fn clean(&self) {
        for entry in fs::read_dir(&self.0).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let maker = name.to_str().and_then(|name| name.strip_prefix('.'));
            let maker = maker.and_then(ProcessIdentity::from_name);
            if maker.is_some_and(|maker| maker.is_alive() == Some(false)) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    pub(super) fn read(&self, id: &SandboxId) -> Result<SandboxRecord> {
        const STEP: &str = "reading the record";
        let text = match fs::read(self.dir(id).join(FILE)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Error::Gone),
            other => other.map_err(|error| Error::failed(STEP, error))?,
        };
        serde_json::from_slice(&text).map_err(|error| Error::failed(STEP, error))
    }

    /// Removes a record. Call it last: what a record would find is gone.
    pub(super) fn remove(&self, id: &SandboxId) -> Result<()> {
        let removed = remove_all(&self.dir(id));
        removed.map_err(|error| Error::failed("removing the record", error))
    }

    pub(super) fn ids(&self) -> Vec<SandboxId> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let mut ids: Vec<SandboxId> = entries
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect();
        ids.sort();
        ids
    }
}
