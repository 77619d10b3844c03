//! Snapshots: what a sandbox made from one stands on, and publishing a new one.

use domain::limits::SANDBOX_LAYERS_MAX;

use super::{
    directory::{SUMMARY, Store, TREE},
    layer::StagedLayer,
    manifest::SnapshotManifest,
};
use crate::{Error, Result, SnapshotId, SnapshotRef, local::name::NAME, stop::StopSignal};

/// What the home directory of a sandbox stands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HomeBase {
    pub(crate) template: String,
    /// Topmost first.
    pub(crate) layers: Vec<String>,
    pub(crate) parent: Option<SnapshotId>,
}

impl HomeBase {
    /// Returns the directories of the overlay's lower side, topmost first, relative to the store.
    pub(crate) fn lower(&self) -> String {
        let layers = self.layers.iter();
        let layers = layers.map(|digest| format!("layers/{digest}/{TREE}"));
        let template = format!("templates/{}/{TREE}", self.template);
        let all: Vec<String> = layers.chain([template]).collect();
        all.join(":")
    }
}

impl Store {
    /// Returns what a sandbox made from a snapshot stands on. Checks that the layers exist; their content was compared when
    /// the snapshot was taken.
    pub(crate) fn base(&self, template: String, from: Option<&SnapshotRef>) -> Result<HomeBase> {
        let Some(from) = from else {
            return Ok(HomeBase {
                template,
                layers: Vec::new(),
                parent: None,
            });
        };
        let manifest = self.read_manifest(&from.id)?;
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
        Ok(HomeBase {
            template,
            layers: manifest.layers,
            parent: Some(from.id.clone()),
        })
    }

    /// Reads the copy back and makes a snapshot of it.
    pub(crate) fn publish(
        &self,
        staged: StagedLayer,
        base: &HomeBase,
        stop: &StopSignal,
    ) -> Result<SnapshotRef> {
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
        let manifest = SnapshotManifest {
            version: SnapshotManifest::VERSION,
            tier: self.tier,
            template: base.template.clone(),
            parent: base.parent.clone(),
            bytes,
            layers,
        };
        let id = self.write_manifest(&manifest)?;
        Ok(SnapshotRef {
            provider: NAME.to_owned(),
            id,
            parent: manifest.parent,
            size: bytes,
            depth: u32::try_from(manifest.layers.len()).unwrap_or(u32::MAX),
        })
    }
}
