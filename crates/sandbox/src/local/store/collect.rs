//! Removes layers, snapshots and templates that nothing refers to.

use std::{collections::BTreeSet, fs, io};

use domain::limits::SANDBOX_TEMPLATES_KEPT;

use super::{
    directory::{SUMMARY, Store},
    layer::LayerSummary,
};
use crate::{Collected, Error, Result, SnapshotId};

impl Store {
    /// Keeps the snapshots in `live`, their layers, and the layers and templates in `used`. The caller holds the lock
    /// exclusively.
    pub(crate) fn collect(
        &self,
        live: &[SnapshotId],
        used: &BTreeSet<String>,
    ) -> Result<Collected> {
        let failed = |error: io::Error| Error::failed("removing unused snapshots", error);
        let mut kept = used.clone();
        let mut collected = Collected::default();
        // Manifests first: one whose layers are gone must not be found.
        for id in self.snapshot_ids() {
            if live.contains(&id) {
                match self.read_manifest(&id) {
                    Ok(manifest) => kept.extend(manifest.layers),
                    // What it stood on is not known, and it will never be offered.
                    Err(error @ Error::Damaged { .. }) => tracing::error!(%id, %error, "not kept"),
                    Err(error) => return Err(error),
                }
            } else {
                fs::remove_file(self.snapshot_file(&id)).map_err(failed)?;
                collected.snapshots += 1;
            }
        }
        for entry in fs::read_dir(self.root.join("layers")).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if kept.contains(&name) {
                continue;
            }
            let summary = fs::read(entry.path().join(SUMMARY));
            let summary = summary
                .ok()
                .and_then(|text| serde_json::from_slice::<LayerSummary>(&text).ok());
            // Under another name first: half a layer must not look whole.
            let scratch = self.scratch().map_err(failed)?;
            fs::rename(entry.path(), scratch.0.join("layer")).map_err(failed)?;
            collected.layers += 1;
            collected.bytes += summary.map_or(0, |summary| summary.bytes);
        }
        self.collect_templates(used).map_err(failed)?;
        Ok(collected)
    }

    /// Keeps the templates in `used` and those that were used last.
    fn collect_templates(&self, used: &BTreeSet<String>) -> io::Result<()> {
        let mut notes = Vec::new();
        for entry in fs::read_dir(self.root.join("sources"))? {
            let entry = entry?;
            let digest = fs::read_to_string(entry.path())?;
            notes.push((entry.metadata()?.modified()?, digest, entry.path()));
        }
        notes.sort();
        let last = notes.iter().rev().map(|(_, digest, _)| digest);
        let mut kept: Vec<String> = Vec::new();
        for digest in last {
            if !kept.contains(digest) && kept.len() < SANDBOX_TEMPLATES_KEPT {
                kept.push(digest.clone());
            }
        }
        let is_unused = |digest: &String| !used.contains(digest) && !kept.contains(digest);
        for (_, _, note) in notes.iter().filter(|(_, digest, _)| is_unused(digest)) {
            fs::remove_file(note)?;
        }
        for entry in fs::read_dir(self.root.join("templates"))? {
            let entry = entry?;
            if is_unused(&entry.file_name().to_string_lossy().into_owned()) {
                let scratch = self.scratch()?;
                fs::rename(entry.path(), scratch.0.join("template"))?;
            }
        }
        Ok(())
    }
}
