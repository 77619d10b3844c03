//! The images of snapshots: found, listed, and removed when nothing refers to them.

use std::collections::{BTreeMap, BTreeSet};

use bollard::{
    models::ImageSummary,
    query_parameters::{ListImagesOptions, RemoveImageOptions},
};

use super::{
    engine::Engine,
    labels,
    names::{DRAFT_REPOSITORY, draft_image, is_published, snapshot_image},
    progress::Progress,
    response::{failed, status_code},
    settings::NAME,
};
use crate::{Collected, Error, Result, SnapshotId, SnapshotRef};

#[derive(Clone)]
pub(super) struct SnapshotImages {
    pub(super) engine: Engine,
}

impl SnapshotImages {
    pub(super) fn new(engine: Engine) -> Self {
        Self { engine }
    }

    /// Returns the image of a snapshot and its depth. A snapshot of another installation is not found.
    pub(super) async fn find(&self, from: &SnapshotRef) -> Result<(String, u32)> {
        let none = || Error::NoSnapshot {
            id: from.id.to_string(),
        };
        if from.provider != NAME {
            return Err(none());
        }
        let image = snapshot_image(&from.id)?;
        let seen = self.engine.docker().inspect_image(&image).await;
        let seen = match seen {
            Err(error) if status_code(&error) == Some(404) => return Err(none()),
            other => other.map_err(failed("looking for the snapshot"))?,
        };
        let labels = seen.config.and_then(|config| config.labels);
        let labels = labels.unwrap_or_default();
        let tags = seen.repo_tags.unwrap_or_default();
        if !labels::is_of_kind(&labels, self.engine.settings(), "snapshot") || !is_published(&tags)
        {
            return Err(none());
        }
        Ok((image, labels::depth(&labels)))
    }

    /// Removes an image, or one of its names if it has others.
    pub(super) async fn remove(&self, image: &str) -> Result<bool> {
        let options = RemoveImageOptions {
            noprune: true,
            ..RemoveImageOptions::default()
        };
        let removed = self
            .engine
            .docker()
            .remove_image(image, Some(options), None);
        match removed.await {
            Ok(_) => Ok(true),
            // Gone already, or in use since it was looked at.
            Err(error) if matches!(status_code(&error), Some(404 | 409)) => Ok(false),
            Err(error) => Err(failed("removing a snapshot")(error)),
        }
    }

    /// Lists the images that were to become snapshots, published or not.
    async fn list_all(&self) -> Result<Vec<ImageSummary>> {
        let options = ListImagesOptions {
            all: true,
            filters: Some(self.engine.owner_filter()),
            ..ListImagesOptions::default()
        };
        let images = self.engine.docker().list_images(Some(options)).await;
        let mut images = images.map_err(failed("looking for snapshots"))?;
        images
            .retain(|image| labels::is_of_kind(&image.labels, self.engine.settings(), "snapshot"));
        Ok(images)
    }

    /// Lists the published snapshots with their labels and sizes.
    async fn list_published(&self) -> Result<BTreeMap<SnapshotId, (labels::Labels, i64)>> {
        let images = self.list_all().await?;
        let published = images
            .into_iter()
            .filter(|image| is_published(&image.repo_tags));
        published
            .map(|image| {
                let id = image.id.trim_start_matches("sha256:").parse()?;
                Ok((id, (image.labels, image.size)))
            })
            .collect()
    }

    /// Removes abandoned drafts of snapshots.
    pub(super) async fn remove_drafts(&self) -> Result<()> {
        for image in self.list_all().await? {
            let prefix = format!("{DRAFT_REPOSITORY}:");
            let names = image.repo_tags.iter();
            let drafts: Vec<&str> = names
                .filter_map(|name| name.strip_prefix(&prefix))
                .collect();
            for draft in &drafts {
                if self.engine.notes().progress_of(draft) != Progress::UnderWay {
                    self.remove(&draft_image(draft)).await?;
                }
            }
            if drafts.is_empty() && !is_published(&image.repo_tags) {
                self.remove(&image.id).await?;
            }
        }
        Ok(())
    }

    /// Removes unused snapshots: not in `live`, not an ancestor of one in `live`, not an ancestor of a sandbox.
    pub(super) async fn collect(&self, live: &[SnapshotId]) -> Result<Collected> {
        self.remove_drafts().await?;
        let snapshots = self.list_published().await?;
        let containers = self.engine.list_containers("sandbox").await?;
        let in_use = containers.iter().filter_map(|one| {
            let labels = one.labels.as_ref()?;
            labels::parent(labels)
        });
        let mut used = BTreeSet::new();
        for id in live.iter().cloned().chain(in_use) {
            let mut next = Some(id);
            while let Some(id) = next {
                next = snapshots
                    .get(&id)
                    .and_then(|(labels_of, _)| labels::parent(labels_of));
                if !used.insert(id) {
                    break;
                }
            }
        }
        let mut unused: Vec<_> = snapshots
            .iter()
            .filter(|(id, _)| !used.contains(id))
            .collect();
        // Those that others stand on go after them.
        unused.sort_by_key(|(_, (labels_of, _))| std::cmp::Reverse(labels::depth(labels_of)));
        let mut collected = Collected::default();
        for (id, (labels_of, size)) in unused {
            let below = labels::parent(labels_of).and_then(|parent| snapshots.get(&parent));
            if self.remove(&snapshot_image(id)?).await? {
                collected.snapshots += 1;
                collected.layers += 1;
                // Sizes are those of whole images. Without one below only the whole is known.
                let own = below.map_or(0, |(_, below)| size - below);
                collected.bytes += u64::try_from(own).unwrap_or(0);
            }
        }
        Ok(collected)
    }
}
