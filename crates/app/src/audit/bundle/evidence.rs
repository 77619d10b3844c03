//! What records refer to: the policy files that decided, and the artifacts of the case or session.

use std::sync::{Mutex, PoisonError};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use blobs::Scope as BlobScope;
use domain::{
    artifact::{ArtifactScope, EXPORT_BUNDLE, is_whole_of_an_action},
    audit::{Sha256Hex, Trail},
    limits::{AUDIT_BUNDLE_CONTENT_BYTES_MAX, AUDIT_CONTENT_LINE_BYTES, AUDIT_EVIDENCE_PAGE_MAX},
    policy::FilePin,
};
use futures::TryStreamExt as _;
use serde_json::json;
use store::ArtifactEvidence;
use uuid::Uuid;

use super::{
    ArtifactInclusion, Bundle,
    lines::BundleLines,
    position::{ArtifactStream, TrailPosition},
};
use crate::error::{Error, Result};

impl Bundle {
    /// Policy files that the records name; where to go on, `None` at the end. A file that was never kept is
    /// missing here, and the verifier says so.
    pub(super) async fn policy_files(
        &self,
        position: &mut TrailPosition,
        after: &str,
        lines: &mut BundleLines,
    ) -> Result<Option<String>> {
        let mut conn = self.app.db.read().await?;
        let files =
            store::audit_policy_file_list(&mut conn, after, AUDIT_EVIDENCE_PAGE_MAX).await?;
        for (sha256, content) in &files {
            let blob = FilePin::of(content.as_bytes(), None).blob;
            if position.policies.contains(&blob) {
                let file = json!({ "blob": blob, "sha256": sha256, "content": content });
                lines.json(&json!({ "policy_file": file }));
                position.given.policy_files += 1;
            }
        }
        let full = files.len() == AUDIT_EVIDENCE_PAGE_MAX as usize;
        let last = files.last().filter(|_| full);
        Ok(last.map(|(sha256, _)| sha256.clone()))
    }

    /// The artifacts of the trail's case or session; where to go on, `None` at the end. With their bytes,
    /// one artifact at a time and a piece of it at a time.
    pub(super) async fn artifacts(
        &self,
        position: &mut TrailPosition,
        after: Uuid,
        lines: &mut BundleLines,
    ) -> Result<Option<Uuid>> {
        if let Some(ArtifactStream(pieces)) = &mut position.content {
            let pieces = pieces.get_mut().unwrap_or_else(PoisonError::into_inner);
            match pieces.try_next().await {
                Ok(Some(piece)) => {
                    for part in piece.chunks(AUDIT_CONTENT_LINE_BYTES) {
                        lines.json(&json!({ "content": STANDARD.encode(part) }));
                    }
                }
                Ok(None) => position.content = None,
                Err(error) => return Err(Error::Storage(blobs::Error::Unavailable(error.into()))),
            }
            return Ok(Some(after));
        }
        let limit = match self.artifacts {
            ArtifactInclusion::Digests => AUDIT_EVIDENCE_PAGE_MAX,
            ArtifactInclusion::Include => 1,
        };
        let mut conn = self.app.db.read().await?;
        let page = store::audit_artifact_list(
            &mut conn,
            &self.organization_id,
            &position.trail,
            after,
            limit,
        )
        .await?;
        drop(conn);
        for artifact in &page {
            lines.json(&json!({ "artifact": {
                "artifact_id": artifact.id.to_string(),
                "artifact_kind": artifact.kind,
                "content_type": artifact.media_type,
                "hash_sha256": artifact.sha256,
                "byte_size": artifact.byte_size,
            } }));
            position.given.artifacts += 1;
            // A bundle within a bundle would double with each export; the whole of an action is opened one by one,
            // on record.
            let is_left_out =
                artifact.kind == EXPORT_BUNDLE || is_whole_of_an_action(&artifact.kind);
            if self.artifacts == ArtifactInclusion::Include && !is_left_out {
                position.content = self.content(position, artifact).await?;
            }
        }
        let full = page.len() == limit as usize;
        Ok(page.last().filter(|_| full).map(|artifact| artifact.id))
    }

    /// The artifact's bytes, if they fit and are what they were. What is missing or was changed is not given
    /// out; the verifier tells how many come with their bytes.
    async fn content(
        &self,
        position: &mut TrailPosition,
        artifact: &ArtifactEvidence,
    ) -> Result<Option<ArtifactStream>> {
        let byte_size = u64::try_from(artifact.byte_size).unwrap_or(u64::MAX);
        let given = position.content_bytes.saturating_add(byte_size);
        if given > AUDIT_BUNDLE_CONTENT_BYTES_MAX {
            return Ok(None);
        }
        let of = match &position.trail {
            Trail::Case(id) => ArtifactScope::Case(id.clone()),
            Trail::Session(id) => ArtifactScope::Session(*id),
        };
        let scope = BlobScope::new(&self.organization_id, &of);
        let sha256 = Sha256Hex::new("hash_sha256", &artifact.sha256)?;
        match self.app.blobs.get(&scope, &sha256, byte_size).await {
            Ok(content) => {
                position.content_bytes = given;
                Ok(Some(ArtifactStream(Mutex::new(content.into_stream()))))
            }
            Err(error @ (blobs::Error::NotFound | blobs::Error::Altered { .. })) => {
                tracing::error!(%error, artifact_id = %artifact.id, "an artifact is not what it was");
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }
}
