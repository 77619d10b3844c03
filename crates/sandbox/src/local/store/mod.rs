//! What sandboxes stand on: templates and layers, which are trees under their digests and never change, and
//! snapshots, which are lists of layers.
//!
//! INVARIANT: whatever has its final name is whole. It was written under another one, read back and
//! compared, brought to the disk, and renamed. What a killed process leaves is in `tmp`, and nothing reads that.

mod bounds;
mod collect;
mod compact;
mod content;
mod entry;
mod manifest;
mod template;
mod tree;

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use domain::{
    clock::{Entropy, random_bytes},
    limits::SANDBOX_LAYERS_MAX,
};
use rustix::fs::{FlockOperation, flock, syncfs};
use serde::{Deserialize, Serialize};

use super::{pid::Process, probe::Tier, remove::remove_all};
use crate::{Error, Result, SnapshotId, SnapshotRef, stop::Stop};
use content::Scheme;
use manifest::Manifest;

const TREE: &str = "tree";
const SUMMARY: &str = "layer.json";

/// What the home directory of a sandbox stands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Base {
    pub(super) template: String,
    /// Topmost first.
    pub(super) layers: Vec<String>,
    pub(super) parent: Option<SnapshotId>,
}

impl Base {
    /// Directories of the overlay's lower side, topmost first, as seen from the store.
    pub(super) fn lower(&self) -> String {
        let layers = self.layers.iter();
        let layers = layers.map(|digest| format!("layers/{digest}/{TREE}"));
        let template = format!("templates/{}/{TREE}", self.template);
        let all: Vec<String> = layers.chain([template]).collect();
        all.join(":")
    }
}

/// A layer that was copied and is not yet known to be good.
#[derive(Debug)]
pub(super) struct Staged {
    dir: Scratch,
    summary: tree::Summary,
}

/// Beside a layer's tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct LayerSummary {
    bytes: u64,
    entries: u64,
    /// How its digest was made. Layers of earlier versions do not say.
    #[serde(default)]
    scheme: u8,
}

/// What is written down for a digest that leaves zeros out.
const SCHEME_DATA: u8 = 2;

/// A step that failed, or was not done for a reason that the agent is told.
fn explain(step: &'static str) -> impl Fn(io::Error) -> Error + Copy {
    move |error| match bounds::refusal(&error) {
        None => Error::failed(step, error),
        Some(refusal) => Error::invalid(refusal.to_string()),
    }
}

#[derive(Debug, Clone)]
pub(super) struct Store {
    root: PathBuf,
    tier: Tier,
    entropy: Arc<dyn Entropy>,
}

/// A directory in `tmp`, removed unless it was renamed.
#[derive(Debug)]
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = remove_all(&self.0);
    }
}

/// Held while something is looked up and put down as used, and alone while what is unused is removed.
#[derive(Debug)]
pub(super) struct Lock(#[allow(dead_code)] File);

impl Store {
    pub(super) fn open(
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

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn lock(&self, alone: bool) -> Result<Lock> {
        let failed = |error: io::Error| Error::failed("locking the store", error);
        let path = self.root.join("lock");
        let mut options = fs::OpenOptions::new();
        options.create(true).truncate(false).write(true);
        let file = options.open(path).map_err(failed)?;
        let operation = if alone {
            FlockOperation::LockExclusive
        } else {
            FlockOperation::LockShared
        };
        flock(&file, operation).map_err(|error| failed(error.into()))?;
        Ok(Lock(file))
    }

    /// What a snapshot stands on. Its layers are there; what is in them was compared when it was taken.
    pub(super) fn base(&self, template: String, from: Option<&SnapshotRef>) -> Result<Base> {
        let Some(from) = from else {
            return Ok(Base {
                template,
                layers: Vec::new(),
                parent: None,
            });
        };
        let manifest = self.manifest(&from.id)?;
        if manifest.tier != self.tier {
            return Err(Error::invalid(
                "the snapshot is of the other tier, whose files belong to another user",
            ));
        }
        for layer in &manifest.layers {
            if !self.layer(layer).join(SUMMARY).is_file() {
                return Err(Error::Damaged {
                    id: from.id.to_string(),
                });
            }
        }
        Ok(Base {
            template,
            layers: manifest.layers,
            parent: Some(from.id.clone()),
        })
    }

    /// Copies what a sandbox has changed. Nothing may change it meanwhile.
    pub(super) fn stage(&self, upper: &Path, stop: &Stop) -> Result<Staged> {
        let failed = explain("copying the home directory");
        let dir = self.scratch().map_err(failed)?;
        // What the sandbox wrote is on its disk before it is read: a file that is still being mapped too.
        let source = File::open(upper).map_err(failed)?;
        syncfs(&source).map_err(|error| failed(error.into()))?;
        let summary = tree::copy(upper, &dir.0.join(TREE), None, stop).map_err(failed)?;
        Ok(Staged { dir, summary })
    }

    /// Reads the copy back and makes a snapshot of it.
    pub(super) fn publish(&self, staged: Staged, base: &Base, stop: &Stop) -> Result<SnapshotRef> {
        let bytes = staged.summary.stored;
        let mut layers = vec![self.add_layer(staged, stop)?];
        layers.extend(base.layers.iter().cloned());
        if layers.len() > SANDBOX_LAYERS_MAX {
            match self.compact(&layers, stop) {
                Ok(one) => layers = vec![one],
                // The next one tries again; a mount takes some more.
                Err(error) if layers.len() < 2 * SANDBOX_LAYERS_MAX => {
                    tracing::warn!(%error, "a chain of layers grows");
                }
                Err(error) => return Err(error),
            }
        }
        let manifest = Manifest {
            version: Manifest::VERSION,
            tier: self.tier,
            template: base.template.clone(),
            parent: base.parent.clone(),
            bytes,
            layers,
        };
        let id = self.write_manifest(&manifest)?;
        Ok(SnapshotRef {
            provider: super::NAME.to_owned(),
            id,
            parent: manifest.parent,
            size: bytes,
            depth: u32::try_from(manifest.layers.len()).unwrap_or(u32::MAX),
        })
    }

    fn add_layer(&self, staged: Staged, stop: &Stop) -> Result<String> {
        const STEP: &str = "storing the layer";
        let failed = explain(STEP);
        let Staged { dir, summary } = staged;
        let read = tree::digest(&dir.0.join(TREE), Scheme::Data, stop).map_err(failed)?;
        if read != summary {
            return Err(Error::failed(STEP, "the copy is not what was copied"));
        }
        let beside = LayerSummary {
            bytes: summary.bytes,
            entries: summary.entries,
            scheme: SCHEME_DATA,
        };
        let text = serde_json::to_vec(&beside).map_err(|error| failed(error.into()))?;
        fs::write(dir.0.join(SUMMARY), text).map_err(failed)?;
        self.rename(&dir, &self.layer(&summary.digest))
            .map_err(failed)?;
        Ok(summary.digest)
    }

    /// Brings it to the disk and gives it its final name. That the name is taken is good: it is the same.
    fn rename(&self, from: &Scratch, to: &Path) -> io::Result<()> {
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

    fn layer(&self, digest: &str) -> PathBuf {
        self.root.join("layers").join(digest)
    }

    /// Reads all layers of a snapshot again and compares.
    pub(super) fn verify(&self, id: &SnapshotId) -> Result<()> {
        for layer in &self.manifest(id)?.layers {
            let scheme = self.scheme(layer);
            let read = tree::digest(&self.layer(layer).join(TREE), scheme, &Stop::default());
            if read.is_ok_and(|read| read.digest == *layer) {
                continue;
            }
            return Err(Error::Damaged { id: id.to_string() });
        }
        Ok(())
    }

    /// How the digest of a layer was made.
    fn scheme(&self, layer: &str) -> Scheme {
        let text = fs::read(self.layer(layer).join(SUMMARY)).unwrap_or_default();
        match serde_json::from_slice::<LayerSummary>(&text) {
            Ok(summary) if summary.scheme == SCHEME_DATA => Scheme::Data,
            _ => Scheme::Every,
        }
    }

    /// Named so that it can be told who made it.
    pub(super) fn scratch(&self) -> io::Result<Scratch> {
        let me = Process::of(std::process::id())?;
        let random = hex::encode(random_bytes::<8>(self.entropy.as_ref()));
        let name = format!("{}-{random}", me.name());
        let path = self.root.join("tmp").join(name);
        fs::create_dir(&path)?;
        Ok(Scratch(path))
    }

    /// Removes what killed processes left. Returns how many.
    pub(super) fn clean(&self) -> usize {
        let entries = fs::read_dir(self.root.join("tmp")).into_iter().flatten();
        let mut removed = 0;
        for entry in entries.flatten() {
            let name = entry.file_name();
            let maker = name.to_str().and_then(Process::from_name);
            if maker.is_none_or(|maker| maker.is_alive() == Some(false)) {
                let gone = remove_all(&entry.path());
                removed += usize::from(gone.is_ok());
            }
        }
        removed
    }
}
