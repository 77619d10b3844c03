//! Snapshots: images made of containers, and removed when nothing refers to them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bollard::{
    models::ContainerConfig,
    query_parameters::{CommitContainerOptions, ListImagesOptions, RemoveImageOptions},
};
use domain::limits::SANDBOX_CONTAINER_LAYERS_MAX;

use super::{
    Container, NAME, Sandbox, failed,
    labels::{self, OWNER},
    status,
};
use crate::{Collected, Error, Handle, Result, SnapshotId, SnapshotRef, SnapshotRequest};

const STEP: &str = "taking the snapshot";
const REPOSITORY: &str = "localhost/proliferate-snapshot";

/// As engines take it: podman does not look for a bare digest that it has not.
pub(super) fn image_of(id: &SnapshotId) -> Result<String> {
    let digest = id.as_str();
    if digest.len() != 64 || !digest.bytes().all(|b| b.is_ascii_hexdigit()) {
        let id = id.to_string();
        return Err(Error::NoSnapshot { id });
    }
    Ok(format!("sha256:{digest}"))
}

impl Container {
    pub(super) async fn take_snapshot(
        &self,
        handle: &Handle,
        request: &SnapshotRequest,
    ) -> Result<SnapshotRef> {
        let sandbox = self.living(handle).await?;
        let depth = sandbox.marks.depth + 1;
        if depth > SANDBOX_CONTAINER_LAYERS_MAX {
            return Err(Error::Exhausted {
                what: "another layer on this image",
            });
        }
        let prepared = match &request.before {
            Some(before) => self
                .run(&sandbox, before)
                .await
                .and_then(SnapshotRequest::prepared),
            None => Ok(()),
        };
        // What failed may have done half of it: the other command runs all the same.
        let taken = match prepared {
            Ok(()) => self.commit(&sandbox, depth).await,
            Err(error) => Err(error),
        };
        if let Some(after) = &request.after
            && !self
                .run(&sandbox, after)
                .await
                .is_ok_and(|result| result.is_success())
        {
            tracing::warn!(sandbox = %handle.id, "the command after a snapshot failed");
        }
        let id = taken?;
        // Nobody has been told of it yet: one that is not what it should be goes.
        match self.look_at(&id, &sandbox, depth).await {
            Ok(snapshot) => Ok(snapshot),
            Err(error) => {
                let _ = self.remove_image(&id).await;
                Err(error)
            }
        }
    }

    /// Keeps the container's tree while everything inside stands still.
    async fn commit(&self, sandbox: &Sandbox, depth: u32) -> Result<SnapshotId> {
        let parent = sandbox.marks.parent.as_ref();
        let (parent, depth) = (parent.map_or("", SnapshotId::as_str), depth.to_string());
        let lineage = labels::lineage(parent, &depth);
        let options = CommitContainerOptions {
            container: Some(sandbox.name.clone()),
            repo: Some(REPOSITORY.to_owned()),
            // With a name it does not go when one that was made from it does.
            tag: Some(self.random()),
            pause: self.0.capabilities.pause,
            changes: Some(labels::instructions(&self.0.settings, "snapshot", &lineage)),
            ..CommitContainerOptions::default()
        };
        let made = self
            .docker()
            .commit_container(options, ContainerConfig::default())
            .await;
        let made = made.map_err(failed(STEP))?.id;
        made.trim_start_matches("sha256:").parse()
    }

    async fn look_at(&self, id: &SnapshotId, of: &Sandbox, depth: u32) -> Result<SnapshotRef> {
        let below = self.docker().inspect_image(&of.image).await;
        let below = below.map_err(failed(STEP))?.size.unwrap_or(0);
        let seen = self.docker().inspect_image(&image_of(id)?).await;
        let size = seen.map_err(failed(STEP))?.size.unwrap_or(0) - below;
        self.verify(id).await?;
        Ok(SnapshotRef {
            provider: NAME.to_owned(),
            id: id.clone(),
            parent: of.marks.parent.clone(),
            size: u64::try_from(size).unwrap_or(0),
            depth,
        })
    }

    async fn remove_image(&self, id: &SnapshotId) -> Result<bool> {
        let options = RemoveImageOptions {
            noprune: true,
            ..RemoveImageOptions::default()
        };
        let image = image_of(id)?;
        let removed = self.docker().remove_image(&image, Some(options), None);
        match removed.await {
            Ok(_) => Ok(true),
            // Gone already, or in use since it was looked at.
            Err(error) if matches!(status(&error), Some(404 | 409)) => Ok(false),
            Err(error) => Err(failed("removing a snapshot")(error)),
        }
    }

    /// Our snapshots: their marks and sizes.
    async fn snapshots(&self) -> Result<BTreeMap<SnapshotId, (labels::Labels, i64)>> {
        let options = ListImagesOptions {
            all: true,
            filters: Some(self.ours()),
            ..ListImagesOptions::default()
        };
        let images = self.docker().list_images(Some(options)).await;
        let images = images.map_err(failed("looking for snapshots"))?;
        let own = images
            .into_iter()
            .filter(|image| labels::is(&image.labels, &self.0.settings, "snapshot"));
        own.map(|image| {
            let id = image.id.trim_start_matches("sha256:").parse()?;
            Ok((id, (image.labels, image.size)))
        })
        .collect()
    }

    /// What is ours. By one label: with two, podman 4.3 finds no image at all.
    pub(super) fn ours(&self) -> HashMap<String, Vec<String>> {
        let owner = format!("{OWNER}={}", self.0.settings.owner);
        [("label".to_owned(), vec![owner])].into()
    }

    pub(super) async fn collect_unused(&self, live: &[SnapshotId]) -> Result<Collected> {
        let snapshots = self.snapshots().await?;
        let containers = self.containers("sandbox").await?;
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
                    .and_then(|(marks, _)| labels::parent(marks));
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
        unused.sort_by_key(|(_, (marks, _))| std::cmp::Reverse(labels::depth(marks)));
        let mut collected = Collected::default();
        for (id, (marks, size)) in unused {
            let below = labels::parent(marks).and_then(|parent| snapshots.get(&parent));
            if self.remove_image(id).await? {
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
