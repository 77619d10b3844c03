//! Snapshots: images made of containers, and removed when nothing refers to them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bollard::{
    models::{ContainerConfig, ImageSummary},
    query_parameters::{
        CommitContainerOptions, InspectContainerOptions, ListImagesOptions, RemoveImageOptions,
        TagImageOptions,
    },
};
use domain::limits::{
    SANDBOX_CONTAINER_CHANGES_BYTES_MAX, SANDBOX_CONTAINER_IMAGE_BYTES_MAX,
    SANDBOX_CONTAINER_LAYERS_MAX, SANDBOX_PUBLISH_TIMEOUT, SANDBOX_STAGE_TIMEOUT,
};

use super::{
    Container, NAME, Sandbox, State, failed,
    labels::{self, OWNER},
    making::{Progress, draft_of},
    settled, status,
};
use crate::{
    Collected, Error, Handle, Result, SnapshotId, SnapshotRef, SnapshotRequest, stop::Stop,
    stoppable::within,
};

const STEP: &str = "taking the snapshot";
/// Where snapshots have their names.
const REPOSITORY: &str = "localhost/proliferate-snapshot";
/// Where an image has its name until it is known to be good.
const DRAFTS: &str = "localhost/proliferate-draft";

fn draft_image(draft: &str) -> String {
    format!("{DRAFTS}:{draft}")
}

/// The tag of the snapshot that becomes of a draft.
fn tag_of(draft: &str) -> &str {
    draft.trim_start_matches("draft-")
}

/// INVARIANT: only what was read back has a name of a snapshot. A crash before that leaves a draft.
pub(super) fn is_whole(names: &[String]) -> bool {
    let is_ours = |name: &String| {
        name.rsplit_once(':')
            .is_some_and(|(at, _)| at == REPOSITORY)
    };
    names.iter().any(is_ours)
}

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
    /// Takes it in a task of its own: a caller that does not wait leaves neither half a snapshot nor a sandbox that
    /// lacks what was taken out of it. What makes the snapshot then ends, and what brings the sandbox back goes on.
    pub(super) async fn take_snapshot(
        &self,
        handle: &Handle,
        request: &SnapshotRequest,
    ) -> Result<SnapshotRef> {
        let (own, handle, request) = (self.clone(), handle.clone(), request.clone());
        let stop = Stop::default();
        let _stops = stop.on_drop();
        let taking = tokio::spawn(async move { own.take(&handle, &request, &stop).await });
        let taken = taking.await;
        taken.map_err(|_| Error::failed(STEP, "it was interrupted"))?
    }

    async fn take(
        &self,
        handle: &Handle,
        request: &SnapshotRequest,
        stop: &Stop,
    ) -> Result<SnapshotRef> {
        let sandbox = self.living(handle).await?;
        if sandbox.marks.depth >= SANDBOX_CONTAINER_LAYERS_MAX {
            return Err(Error::Exhausted {
                what: "another layer on this image",
            });
        }
        let draft = draft_of(&handle.id, &self.random());
        let mark = self.0.making.begin(&draft)?;
        let prepared = match &request.before {
            Some(before) => self
                .run(&sandbox, before)
                .await
                .and_then(SnapshotRequest::prepared),
            None => Ok(()),
        };
        // What failed may have done half of it: the other command runs all the same.
        let taken = match prepared {
            Ok(()) => self.commit(&sandbox, &draft, stop).await,
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
        let published = match taken {
            Ok(id) => self.publish(&sandbox, id, &draft, stop).await,
            Err(error) => Err(error),
        };
        // Under this name it is none. A mark that is not done says that the draft is left, or a sandbox that stands still:
        // the first is removed by cleaning up, the second goes on when it is taken over.
        let removed = self.remove_image(&draft_image(&draft)).await;
        if removed.is_ok() && !self.was_left_paused(handle, &sandbox, &published).await {
            mark.done();
        }
        published
    }

    /// Whether a snapshot that failed could not let the sandbox go on.
    async fn was_left_paused(
        &self,
        handle: &Handle,
        before: &Sandbox,
        published: &Result<SnapshotRef>,
    ) -> bool {
        published.is_err()
            && before.state == State::Running
            && self
                .find(handle)
                .await
                .is_ok_and(|now| now.state == State::Paused)
    }

    /// Keeps the container's tree while everything inside stands still, as a draft. Whatever happens, it goes on
    /// afterwards.
    async fn commit(&self, sandbox: &Sandbox, draft: &str, stop: &Stop) -> Result<SnapshotId> {
        let pauses = self.0.support.pause && sandbox.state == State::Running;
        if pauses {
            let paused = self.docker().pause_container(&sandbox.name).await;
            paused.map_err(failed(STEP))?;
        }
        // Standing still, it cannot become larger after it was looked at.
        let making = async {
            self.check_size(sandbox).await?;
            self.commit_still(sandbox, draft).await
        };
        let made = within(STEP, SANDBOX_STAGE_TIMEOUT, stop, making).await;
        if pauses {
            match self.docker().unpause_container(&sandbox.name).await {
                // A session that was stopped removes its sandbox meanwhile.
                Err(error) if status(&error) == Some(404) => return Err(Error::Gone),
                Err(error) => {
                    let error = failed("letting the sandbox go on")(error);
                    tracing::error!(container = sandbox.name, %error, "a stopped sandbox was not continued");
                    return Err(error);
                }
                Ok(()) => {}
            }
        }
        made
    }

    /// Engines write what a container changed as an archive, with holes as zeros: a file of a hundred gigabytes that holds
    /// nothing would fill the machine's disk. What is below it is written again when layers are merged.
    async fn check_size(&self, sandbox: &Sandbox) -> Result<()> {
        let options = InspectContainerOptions { size: true };
        let seen = settled(|| {
            self.docker()
                .inspect_container(&sandbox.name, Some(options.clone()))
        });
        let seen = seen.await.map_err(failed(STEP))?;
        let below = self.docker().inspect_image(&sandbox.image).await;
        let below = below.map_err(failed(STEP))?.size;
        sizes_fit(seen.size_rw, below)
    }

    async fn commit_still(&self, sandbox: &Sandbox, draft: &str) -> Result<SnapshotId> {
        let parent = sandbox.marks.parent.as_ref();
        let depth = (sandbox.marks.depth + 1).to_string();
        let parent = parent.map_or("", SnapshotId::as_str);
        let lineage = labels::lineage(parent, &depth);
        let options = CommitContainerOptions {
            container: Some(sandbox.name.clone()),
            repo: Some(DRAFTS.to_owned()),
            tag: Some(draft.to_owned()),
            pause: false,
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

    /// Makes a snapshot of a draft: it is read back whole, and then has a name by which it is found.
    async fn publish(
        &self,
        of: &Sandbox,
        id: SnapshotId,
        draft: &str,
        stop: &Stop,
    ) -> Result<SnapshotRef> {
        let below = self.docker().inspect_image(&of.image).await;
        let below = below.map_err(failed(STEP))?.size.unwrap_or(0);
        let seen = self.docker().inspect_image(&image_of(&id)?).await;
        let whole = seen.map_err(failed(STEP))?.size.unwrap_or(0);
        let depth = of.marks.depth + 1;
        let (id, depth) = if is_to_be_merged(depth, self.0.settings.layers_max, whole) {
            let name = draft_image(draft);
            let merging = self.squash(&id, depth, &name);
            match within(STEP, SANDBOX_PUBLISH_TIMEOUT, stop, merging).await {
                Ok(one) => {
                    // The draft is the other one now, and nothing names this.
                    let _ = self.remove_image(&image_of(&id)?).await;
                    (one, 1)
                }
                // The next one tries again; engines take some more.
                Err(error) => {
                    tracing::warn!(%error, "a chain of layers grows");
                    (id, depth)
                }
            }
        } else {
            (id, depth)
        };
        within(STEP, SANDBOX_PUBLISH_TIMEOUT, stop, self.verify(&id)).await?;
        // With a name it does not go when one that was made from it does.
        let name = TagImageOptions {
            repo: Some(REPOSITORY.to_owned()),
            tag: Some(tag_of(draft).to_owned()),
        };
        let named = self.docker().tag_image(&image_of(&id)?, Some(name)).await;
        named.map_err(failed(STEP))?;
        if let Err(error) = stop.check() {
            // No caller puts it on record.
            self.remove_image(&format!("{REPOSITORY}:{}", tag_of(draft)))
                .await?;
            return Err(Error::failed(STEP, error));
        }
        Ok(SnapshotRef {
            provider: NAME.to_owned(),
            id,
            parent: of.marks.parent.clone(),
            size: u64::try_from(whole - below).unwrap_or(0),
            depth,
        })
    }

    /// Removes an image, or one of its names if it has others.
    async fn remove_image(&self, image: &str) -> Result<bool> {
        let options = RemoveImageOptions {
            noprune: true,
            ..RemoveImageOptions::default()
        };
        let removed = self.docker().remove_image(image, Some(options), None);
        match removed.await {
            Ok(_) => Ok(true),
            // Gone already, or in use since it was looked at.
            Err(error) if matches!(status(&error), Some(404 | 409)) => Ok(false),
            Err(error) => Err(failed("removing a snapshot")(error)),
        }
    }

    /// Images of ours that were to be snapshots, whole or not.
    async fn images(&self) -> Result<Vec<ImageSummary>> {
        let options = ListImagesOptions {
            all: true,
            filters: Some(self.ours()),
            ..ListImagesOptions::default()
        };
        let images = self.docker().list_images(Some(options)).await;
        let mut images = images.map_err(failed("looking for snapshots"))?;
        images.retain(|image| labels::is(&image.labels, &self.0.settings, "snapshot"));
        Ok(images)
    }

    /// Our snapshots: their marks and sizes.
    async fn snapshots(&self) -> Result<BTreeMap<SnapshotId, (labels::Labels, i64)>> {
        let images = self.images().await?;
        let whole = images
            .into_iter()
            .filter(|image| is_whole(&image.repo_tags));
        whole
            .map(|image| {
                let id = image.id.trim_start_matches("sha256:").parse()?;
                Ok((id, (image.labels, image.size)))
            })
            .collect()
    }

    /// Removes abandoned drafts of snapshots.
    pub(super) async fn remove_drafts(&self) -> Result<()> {
        for image in self.images().await? {
            let prefix = format!("{DRAFTS}:");
            let names = image.repo_tags.iter();
            let drafts: Vec<&str> = names
                .filter_map(|name| name.strip_prefix(&prefix))
                .collect();
            for draft in &drafts {
                if self.0.making.of(draft) != Progress::UnderWay {
                    self.remove_image(&draft_image(draft)).await?;
                }
            }
            if drafts.is_empty() && !is_whole(&image.repo_tags) {
                self.remove_image(&image.id).await?;
            }
        }
        Ok(())
    }

    /// What is ours. By one label: with two, podman 4.3 finds no image at all.
    pub(super) fn ours(&self) -> HashMap<String, Vec<String>> {
        let owner = format!("{OWNER}={}", self.0.settings.owner);
        [("label".to_owned(), vec![owner])].into()
    }

    pub(super) async fn collect_unused(&self, live: &[SnapshotId]) -> Result<Collected> {
        self.remove_drafts().await?;
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
            if self.remove_image(&image_of(id)?).await? {
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

/// Whether a container that has changed so many bytes, made of an image of so many, can be saved. An engine that does not
/// know a size says none, or a negative one.
fn sizes_fit(changed: Option<i64>, below: Option<i64>) -> Result<()> {
    let known = |size: Option<i64>| {
        let size = size.and_then(|size| u64::try_from(size).ok());
        size.ok_or_else(|| Error::failed(STEP, "the engine does not say how large it would be"))
    };
    let (changed, below) = (known(changed)?, known(below)?);
    if changed > SANDBOX_CONTAINER_CHANGES_BYTES_MAX {
        return Err(Error::invalid(format!(
            "the sandbox has changed {changed} bytes, holes in files included, and {SANDBOX_CONTAINER_CHANGES_BYTES_MAX} \
             can be saved; remove what is not needed and try again"
        )));
    }
    if below.saturating_add(changed) > SANDBOX_CONTAINER_IMAGE_BYTES_MAX {
        return Err(Error::invalid(format!(
            "the sandbox has changed {changed} bytes on top of an image of {below}, and {SANDBOX_CONTAINER_IMAGE_BYTES_MAX} \
             can be saved in all; remove what is not needed and try again, or begin a new session"
        )));
    }
    Ok(())
}

/// Whether layers of snapshots are made into one: there are many of them, or another change of the largest size would not
/// fit on top of this image.
fn is_to_be_merged(depth: u32, layers_max: u32, size: i64) -> bool {
    let room = SANDBOX_CONTAINER_IMAGE_BYTES_MAX - SANDBOX_CONTAINER_CHANGES_BYTES_MAX;
    let is_large = u64::try_from(size).is_ok_and(|size| size > room);
    depth > layers_max || (depth > 1 && is_large)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: i64 = 1024 * 1024 * 1024;

    #[test]
    fn a_size_that_is_not_known_or_too_large_is_refused() {
        sizes_fit(Some(16 * GIB), Some(24 * GIB)).unwrap();
        for (changed, below, expected) in [
            (None, Some(GIB), "does not say how large"),
            // What Docker answers when it failed to measure.
            (Some(-1), Some(GIB), "does not say how large"),
            (Some(GIB), None, "does not say how large"),
            (Some(16 * GIB + 1), Some(GIB), "holes in files included"),
            (
                Some(16 * GIB),
                Some(24 * GIB + 1),
                "on top of an image of 25769803777",
            ),
        ] {
            let text = sizes_fit(changed, below).unwrap_err().to_string();
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn layers_are_merged_when_there_are_many_and_when_they_are_large() {
        assert!(!is_to_be_merged(24, 24, GIB));
        assert!(is_to_be_merged(25, 24, GIB));
        assert!(!is_to_be_merged(2, 24, 24 * GIB));
        assert!(is_to_be_merged(2, 24, 24 * GIB + 1));
        // There is nothing to merge one layer with.
        assert!(!is_to_be_merged(1, 24, 30 * GIB));
    }
}
