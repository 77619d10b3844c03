//! Manifests: a snapshot's list of layers, in a file named after its digest.

use std::{
    fs::{self, File},
    io::{self, Write as _},
};

use aws_lc_rs::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

use super::directory::Store;
use crate::{Error, Result, SnapshotId, local::tier::Tier};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SnapshotManifest {
    pub(super) version: u32,
    /// Owners and attributes of files are those of a tier.
    pub(super) tier: Tier,
    /// What its sandbox had below. A later template may take its place.
    pub(super) template: String,
    pub(super) parent: Option<SnapshotId>,
    /// Of what changed since the parent.
    pub(super) bytes: u64,
    /// Topmost first; all of them, so that a snapshot stands without its parent's manifest.
    pub(super) layers: Vec<String>,
}

impl SnapshotManifest {
    pub(super) const VERSION: u32 = 1;
}

impl Store {
    pub(super) fn write_manifest(&self, manifest: &SnapshotManifest) -> Result<SnapshotId> {
        const STEP: &str = "writing the manifest";
        let failed = |error: io::Error| Error::failed(STEP, error);
        let text = serde_json::to_vec(manifest).map_err(|error| failed(error.into()))?;
        let id: SnapshotId = hex::encode(digest(&SHA256, &text)).parse()?;
        let scratch = self.scratch().map_err(failed)?;
        let new = scratch.0.join("manifest");
        let mut file = File::create_new(&new).map_err(failed)?;
        file.write_all(&text).map_err(failed)?;
        file.sync_all().map_err(failed)?;
        let path = self.snapshot_file(&id);
        fs::rename(&new, path).map_err(failed)?;
        let directory = File::open(self.root.join("snapshots")).map_err(failed)?;
        directory.sync_all().map_err(failed)?;
        Ok(id)
    }

    pub(super) fn read_manifest(&self, id: &SnapshotId) -> Result<SnapshotManifest> {
        let damaged = || Error::Damaged { id: id.to_string() };
        let text = match fs::read(self.snapshot_file(id)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Error::NoSnapshot { id: id.to_string() });
            }
            other => other.map_err(|error| Error::failed("reading the manifest", error))?,
        };
        if hex::encode(digest(&SHA256, &text)) != id.as_str() {
            return Err(damaged());
        }
        let manifest: SnapshotManifest = serde_json::from_slice(&text).map_err(|_| damaged())?;
        let is_digest =
            |text: &String| text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
        if manifest.version != SnapshotManifest::VERSION || !manifest.layers.iter().all(is_digest) {
            return Err(damaged());
        }
        Ok(manifest)
    }

    pub(super) fn snapshot_file(&self, id: &SnapshotId) -> std::path::PathBuf {
        self.root.join("snapshots").join(format!("{id}.json"))
    }

    /// Lists the stored snapshots.
    pub(super) fn snapshot_ids(&self) -> Vec<SnapshotId> {
        let entries = fs::read_dir(self.root.join("snapshots"));
        let entries = entries.into_iter().flatten().flatten();
        let id = |entry: fs::DirEntry| {
            let name = entry.file_name();
            name.to_str()?.strip_suffix(".json")?.parse().ok()
        };
        let mut ids: Vec<SnapshotId> = entries.filter_map(id).collect();
        ids.sort();
        ids
    }
}
