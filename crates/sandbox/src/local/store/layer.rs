//! Layers: copied from what a sandbox changed, read back, and stored under their digest.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

use rustix::fs::syncfs;
use serde::{Deserialize, Serialize};

use super::{
    bounds,
    content::DigestScheme,
    directory::{SUMMARY, ScratchDirectory, Store, TREE},
    tree,
};
use crate::{Error, Result, SnapshotId, stop::StopSignal};

/// A layer that was copied and is not yet known to be good.
#[derive(Debug)]
pub(crate) struct StagedLayer {
    pub(super) dir: ScratchDirectory,
    pub(super) summary: tree::TreeSummary,
}

/// The file beside a layer's tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LayerSummary {
    pub(super) bytes: u64,
    entries: u64,
    /// How its digest was made. Layers of earlier versions have none.
    #[serde(default)]
    scheme: u8,
}

/// The scheme of a digest that leaves zeros out.
const SCHEME_DATA: u8 = 2;

/// The error of a step: a bound that the agent can react to, or a failure.
pub(super) fn step_error(step: &'static str) -> impl Fn(io::Error) -> Error + Copy {
    move |error| match bounds::exceeded_bound(&error) {
        None => Error::failed(step, error),
        Some(exceeded) => Error::invalid(exceeded.to_string()),
    }
}

impl Store {
    /// Copies what a sandbox has changed. Nothing may change it meanwhile.
    pub(crate) fn stage(&self, upper: &Path, stop: &StopSignal) -> Result<StagedLayer> {
        let failed = step_error("copying the home directory");
        let dir = self.scratch().map_err(failed)?;
        // What the sandbox wrote is on its disk before it is read: a file that is still being mapped too.
        let source = File::open(upper).map_err(failed)?;
        syncfs(&source).map_err(|error| failed(error.into()))?;
        let summary = tree::copy_tree(upper, &dir.0.join(TREE), None, stop).map_err(failed)?;
        Ok(StagedLayer { dir, summary })
    }

    pub(super) fn add_layer(&self, staged: StagedLayer, stop: &StopSignal) -> Result<String> {
        const STEP: &str = "storing the layer";
        let failed = step_error(STEP);
        let StagedLayer { dir, summary } = staged;
        let read =
            tree::hash_tree(&dir.0.join(TREE), DigestScheme::DataOnly, stop).map_err(failed)?;
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
        self.publish_directory(&dir, &self.layer(&summary.digest))
            .map_err(failed)?;
        Ok(summary.digest)
    }

    /// Reads all layers of a snapshot again and compares.
    pub(crate) fn verify(&self, id: &SnapshotId) -> Result<()> {
        for layer in &self.read_manifest(id)?.layers {
            let scheme = self.scheme_of(layer);
            let read = tree::hash_tree(
                &self.layer(layer).join(TREE),
                scheme,
                &StopSignal::default(),
            );
            if read.is_ok_and(|read| read.digest == *layer) {
                continue;
            }
            return Err(Error::Damaged { id: id.to_string() });
        }
        Ok(())
    }

    /// Reads how the digest of a layer was made.
    fn scheme_of(&self, layer: &str) -> DigestScheme {
        let text = fs::read(self.layer(layer).join(SUMMARY)).unwrap_or_default();
        match serde_json::from_slice::<LayerSummary>(&text) {
            Ok(summary) if summary.scheme == SCHEME_DATA => DigestScheme::DataOnly,
            _ => DigestScheme::EveryByte,
        }
    }
}
