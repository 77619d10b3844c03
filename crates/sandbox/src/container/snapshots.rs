//! Takes snapshots: images made of containers.

use bollard::{
    models::ContainerConfig,
    query_parameters::{CommitContainerOptions, InspectContainerOptions, TagImageOptions},
};
use domain::limits::{
    SANDBOX_CONTAINER_CHANGES_BYTES_MAX, SANDBOX_CONTAINER_IMAGE_BYTES_MAX,
    SANDBOX_CONTAINER_LAYERS_MAX, SANDBOX_PUBLISH_TIMEOUT, SANDBOX_STAGE_TIMEOUT,
};

use super::{
    containers::{ContainerState, Containers, SandboxContainer},
    engine::Engine,
    exec::Programs,
    labels,
    names::{
        DRAFT_REPOSITORY, SNAPSHOT_REPOSITORY, draft_image, draft_name, snapshot_image,
        snapshot_tag,
    },
    response::{failed, retry_unreadable, status_code},
    settings::NAME,
    snapshot_images::SnapshotImages,
};
use crate::{
    Error, Handle, Result, SnapshotId, SnapshotRef, SnapshotRequest, stop::StopSignal,
    stoppable::within,
};

const STEP: &str = "taking the snapshot";

#[derive(Clone)]
pub(super) struct Snapshots {
    engine: Engine,
    containers: Containers,
    programs: Programs,
    images: SnapshotImages,
}

impl Snapshots {
    pub(super) fn new(
        engine: Engine,
        containers: Containers,
        programs: Programs,
        images: SnapshotImages,
    ) -> Self {
        Self {
            engine,
            containers,
            programs,
            images,
        }
    }

    /// Takes a snapshot in a task of its own: a caller that does not wait leaves neither half a snapshot nor a sandbox that
    /// lacks what was taken out of it. What makes the snapshot then ends, and what restores the sandbox goes on.
    pub(super) async fn take(
        &self,
        handle: &Handle,
        request: &SnapshotRequest,
    ) -> Result<SnapshotRef> {
        let (own, handle, request) = (self.clone(), handle.clone(), request.clone());
        let stop = StopSignal::default();
        let _stops = stop.on_drop();
        let taking =
            tokio::spawn(async move { own.take_stoppable(&handle, &request, &stop).await });
        let taken = taking.await;
        taken.map_err(|_| Error::failed(STEP, "it was interrupted"))?
    }

    async fn take_stoppable(
        &self,
        handle: &Handle,
        request: &SnapshotRequest,
        stop: &StopSignal,
    ) -> Result<SnapshotRef> {
        let sandbox = self.containers.find_living(handle).await?;
        if sandbox.labels.depth >= SANDBOX_CONTAINER_LAYERS_MAX {
            return Err(Error::Exhausted {
                what: "another layer on this image",
            });
        }
        let draft = draft_name(&handle.id, &self.engine.generate_name());
        let note = self.engine.notes().begin(&draft)?;
        let prepared = match &request.before {
            Some(before) => self
                .programs
                .run(&sandbox, before)
                .await
                .and_then(SnapshotRequest::check_before),
            None => Ok(()),
        };
        // What failed may have done half of it: the other command runs all the same.
        let taken = match prepared {
            Ok(()) => self.commit(&sandbox, &draft, stop).await,
            Err(error) => Err(error),
        };
        if let Some(after) = &request.after
            && !self
                .programs
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
        // Under this name it is no snapshot. A note that stays says that the draft is left, or a sandbox that stands still: the
        // first is removed by cleaning up, the second is continued when a process takes it over.
        let removed = self.images.remove(&draft_image(&draft)).await;
        if removed.is_ok() && !self.was_left_paused(handle, &sandbox, &published).await {
            note.remove();
        }
        published
    }

    /// Whether a snapshot that failed could not continue the sandbox.
    async fn was_left_paused(
        &self,
        handle: &Handle,
        before: &SandboxContainer,
        published: &Result<SnapshotRef>,
    ) -> bool {
        published.is_err()
            && before.state == ContainerState::Running
            && self
                .containers
                .find(handle)
                .await
                .is_ok_and(|now| now.state == ContainerState::Paused)
    }

    /// Saves the container's tree as a draft while everything inside stands still. Continues the container whatever happens.
    async fn commit(
        &self,
        sandbox: &SandboxContainer,
        draft: &str,
        stop: &StopSignal,
    ) -> Result<SnapshotId> {
        let pauses = self.engine.support().pause && sandbox.state == ContainerState::Running;
        if pauses {
            let paused = self.engine.docker().pause_container(&sandbox.name).await;
            paused.map_err(failed(STEP))?;
        }
        // Standing still, it cannot become larger after it was looked at.
        let making = async {
            self.check_size(sandbox).await?;
            self.commit_still(sandbox, draft).await
        };
        let made = within(STEP, SANDBOX_STAGE_TIMEOUT, stop, making).await;
        if pauses {
            match self.engine.docker().unpause_container(&sandbox.name).await {
                // A session that was stopped removes its sandbox meanwhile.
                Err(error) if status_code(&error) == Some(404) => return Err(Error::Gone),
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
    async fn check_size(&self, sandbox: &SandboxContainer) -> Result<()> {
        let options = InspectContainerOptions { size: true };
        let seen = retry_unreadable(|| {
            self.engine
                .docker()
                .inspect_container(&sandbox.name, Some(options.clone()))
        });
        let seen = seen.await.map_err(failed(STEP))?;
        let below = self.engine.docker().inspect_image(&sandbox.image).await;
        let below = below.map_err(failed(STEP))?.size;
        sizes_fit(seen.size_rw, below)
    }

    async fn commit_still(&self, sandbox: &SandboxContainer, draft: &str) -> Result<SnapshotId> {
        let parent = sandbox.labels.parent.as_ref();
        let depth = (sandbox.labels.depth + 1).to_string();
        let parent = parent.map_or("", SnapshotId::as_str);
        let lineage = labels::lineage(parent, &depth);
        let options = CommitContainerOptions {
            container: Some(sandbox.name.clone()),
            repo: Some(DRAFT_REPOSITORY.to_owned()),
            tag: Some(draft.to_owned()),
            pause: false,
            changes: Some(labels::instructions(
                self.engine.settings(),
                "snapshot",
                &lineage,
            )),
            ..CommitContainerOptions::default()
        };
        let made = self
            .engine
            .docker()
            .commit_container(options, ContainerConfig::default())
            .await;
        let made = made.map_err(failed(STEP))?.id;
        made.trim_start_matches("sha256:").parse()
    }

    /// Makes a snapshot of a draft: reads it back whole, and gives it a name by which it is found.
    async fn publish(
        &self,
        of: &SandboxContainer,
        id: SnapshotId,
        draft: &str,
        stop: &StopSignal,
    ) -> Result<SnapshotRef> {
        let below = self.engine.docker().inspect_image(&of.image).await;
        let below = below.map_err(failed(STEP))?.size.unwrap_or(0);
        let seen = self
            .engine
            .docker()
            .inspect_image(&snapshot_image(&id)?)
            .await;
        let whole = seen.map_err(failed(STEP))?.size.unwrap_or(0);
        let depth = of.labels.depth + 1;
        let (id, depth) = if is_to_be_merged(depth, self.engine.settings().layers_max, whole) {
            let name = draft_image(draft);
            let merging = self.images.merge_layers(&id, depth, &name);
            match within(STEP, SANDBOX_PUBLISH_TIMEOUT, stop, merging).await {
                Ok(one) => {
                    // The draft is the merged image now, and nothing names this one.
                    let _ = self.images.remove(&snapshot_image(&id)?).await;
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
        within(STEP, SANDBOX_PUBLISH_TIMEOUT, stop, self.images.verify(&id)).await?;
        // An image with a name is not removed with one that was made from it.
        let name = TagImageOptions {
            repo: Some(SNAPSHOT_REPOSITORY.to_owned()),
            tag: Some(snapshot_tag(draft).to_owned()),
        };
        let named = self
            .engine
            .docker()
            .tag_image(&snapshot_image(&id)?, Some(name))
            .await;
        named.map_err(failed(STEP))?;
        if let Err(error) = stop.check() {
            // No caller records it.
            self.images
                .remove(&format!("{SNAPSHOT_REPOSITORY}:{}", snapshot_tag(draft)))
                .await?;
            return Err(Error::failed(STEP, error));
        }
        Ok(SnapshotRef {
            provider: NAME.to_owned(),
            id,
            parent: of.labels.parent.clone(),
            size: u64::try_from(whole - below).unwrap_or(0),
            depth,
        })
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
