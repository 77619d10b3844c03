//! Names at the engine: of containers, of drafts, and of the images of snapshots.

use crate::{Error, Result, SandboxId, SnapshotId};

const CONTAINER_PREFIX: &str = "proliferate-";
/// Where snapshots have their names.
pub(super) const SNAPSHOT_REPOSITORY: &str = "localhost/proliferate-snapshot";
/// Where an image has its name until it is known to be good.
pub(super) const DRAFT_REPOSITORY: &str = "localhost/proliferate-draft";

/// The container of a sandbox.
pub(super) fn container_name(id: &SandboxId) -> String {
    format!("{CONTAINER_PREFIX}{id}")
}

/// The sandbox of a container, if it is named as one of a sandbox.
pub(super) fn sandbox_of_container(name: &str) -> Option<SandboxId> {
    name.strip_prefix(CONTAINER_PREFIX)?.parse().ok()
}

/// A snapshot of a sandbox while it is made.
pub(super) fn draft_name(id: &SandboxId, random: &str) -> String {
    format!("draft-{id}-{random}")
}

pub(super) fn draft_image(draft: &str) -> String {
    format!("{DRAFT_REPOSITORY}:{draft}")
}

/// The tag of the snapshot that becomes of a draft.
pub(super) fn snapshot_tag(draft: &str) -> &str {
    draft.trim_start_matches("draft-")
}

/// INVARIANT: only what was read back has a name of a snapshot. A crash before that leaves a draft.
pub(super) fn is_published(image_names: &[String]) -> bool {
    let is_snapshot = |name: &String| {
        name.rsplit_once(':')
            .is_some_and(|(repository, _)| repository == SNAPSHOT_REPOSITORY)
    };
    image_names.iter().any(is_snapshot)
}

/// The image of a snapshot as engines take it: podman does not look for a bare digest that it has not.
pub(super) fn snapshot_image(id: &SnapshotId) -> Result<String> {
    let digest = id.as_str();
    if digest.len() != 64 || !digest.bytes().all(|b| b.is_ascii_hexdigit()) {
        let id = id.to_string();
        return Err(Error::NoSnapshot { id });
    }
    Ok(format!("sha256:{digest}"))
}
