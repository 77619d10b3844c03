//! The store's directory: its parts, its lock, and scratch directories in which everything begins.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use domain::clock::{Entropy, random_bytes};
use rustix::fs::{FlockOperation, flock, syncfs};

use crate::{
    Error, Result,
    local::{remove::remove_all, tier::Tier},
    pid::ProcessIdentity,
};

/// The tree in the directory of a layer or a template.
pub(super) const TREE: &str = "tree";
/// The summary in the directory of a layer.
pub(super) const SUMMARY: &str = "layer.json";

#[derive(Debug, Clone)]
pub(crate) struct Store {
    pub(super) root: PathBuf,
    pub(super) tier: Tier,
    entropy: Arc<dyn Entropy>,
}

/// A directory in `tmp`, removed unless it was renamed.
#[derive(Debug)]
pub(crate) struct ScratchDirectory(pub(super) PathBuf);

impl ScratchDirectory {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for ScratchDirectory {
    fn drop(&mut self) {
        let _ = remove_all(&self.0);
    }
}

/// Held shared while something is looked up and recorded as used, and exclusively while what is unused is removed.
#[derive(Debug)]
pub(crate) struct StoreLock(#[expect(dead_code, reason = "held, never read")] File);

impl Store {
    pub(crate) fn open(
        directory: &Path,
        tier: Tier,
        entropy: Arc<dyn Entropy>,
    ) -> io::Result<Self> {
        let root = directory.join("store");
        for part in ["templates", "sources", "layers", "snapshots", "tmp"] {
            fs::create_dir_all(root.join(part))?;
        }
        // Only the overlay reads them, with our rights.
        let closed = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        fs::set_permissions(&root, closed)?;
        Ok(Self {
            root,
            tier,
            entropy,
        })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn lock(&self, exclusive: bool) -> Result<StoreLock> {
        let failed = |error: io::Error| Error::failed("locking the store", error);
        let path = self.root.join("lock");
        let mut options = fs::OpenOptions::new();
        options.create(true).truncate(false).write(true);
        let file = options.open(path).map_err(failed)?;
        let operation = if exclusive {
            FlockOperation::LockExclusive
        } else {
            FlockOperation::LockShared
        };
        flock(&file, operation).map_err(|error| failed(error.into()))?;
        Ok(StoreLock(file))
    }

    /// Flushes a directory to the disk and gives it its final name. A directory that has the name has the same content.
    pub(super) fn publish_directory(&self, from: &ScratchDirectory, to: &Path) -> io::Result<()> {
        syncfs(File::open(&self.root)?)?;
        match fs::rename(&from.0, to) {
            Err(error) if to.is_dir() => {
                tracing::debug!(%error, "the tree is there already");
            }
            other => other?,
        }
        let parent = to.parent().unwrap_or(&self.root);
        File::open(parent)?.sync_all()
    }

    pub(super) fn layer(&self, digest: &str) -> PathBuf {
        self.root.join("layers").join(digest)
    }

    /// Makes a scratch directory, named after this process.
    pub(crate) fn scratch(&self) -> io::Result<ScratchDirectory> {
        let me = ProcessIdentity::of(std::process::id())?;
        let random = hex::encode(random_bytes::<8>(self.entropy.as_ref()));
        let name = format!("{}-{random}", me.name());
        let path = self.root.join("tmp").join(name);
        fs::create_dir(&path)?;
        Ok(ScratchDirectory(path))
    }

    /// Removes what killed processes left. Returns how many.
    pub(crate) fn clean(&self) -> usize {
        let entries = fs::read_dir(self.root.join("tmp")).into_iter().flatten();
        let mut removed = 0;
        for entry in entries.flatten() {
            let name = entry.file_name();
            let maker = name.to_str().and_then(ProcessIdentity::from_name);
            if maker.is_none_or(|maker| maker.is_alive() == Some(false)) {
                let gone = remove_all(&entry.path());
                removed += usize::from(gone.is_ok());
            }
        }
        removed
    }
}
