//! What records refer to: the policy files that decided, and the artifacts of the case or session.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{limits::AUDIT_EVIDENCE_PAGE_MAX, policy::FilePin};
use serde_json::json;
use uuid::Uuid;

use super::{Bundle, Lines, trail::Position};
use crate::error::Result;

impl Bundle {
    /// Policy files that the records name; where to go on, `None` at the end. A file that was never kept is
    /// missing here, and the verifier says so.
    pub(super) async fn policy_files(
        &self,
        position: &mut Position,
        after: &str,
        lines: &mut Lines,
    ) -> Result<Option<String>> {
        let mut conn = self.app.db.read().await?;
        let files = conn
            .audit_policy_file_list(after, AUDIT_EVIDENCE_PAGE_MAX)
            .await?;
        for (sha256, content) in &files {
            let blob = FilePin::of(content.as_bytes(), None).blob;
            if position.policies.contains(&blob) {
                let file = json!({ "blob": blob, "sha256": sha256, "content": content });
                lines.json(&json!({ "policy_file": file }));
                position.given.policy_files += 1;
            }
        }
        let full = files.len() == AUDIT_EVIDENCE_PAGE_MAX as usize;
        Ok(files
            .last()
            .filter(|_| full)
            .map(|(sha256, _)| sha256.clone()))
    }

    /// The artifacts of the trail's case or session; where to go on, `None` at the end.
    pub(super) async fn artifacts(
        &self,
        position: &mut Position,
        after: Uuid,
        lines: &mut Lines,
    ) -> Result<Option<Uuid>> {
        let mut conn = self.app.db.read().await?;
        let page = conn
            .audit_artifact_list(
                &self.organization_id,
                &position.trail,
                after,
                AUDIT_EVIDENCE_PAGE_MAX,
            )
            .await?;
        for artifact in &page {
            lines.json(&json!({ "artifact": {
                "artifact_id": artifact.id.to_string(),
                "artifact_kind": artifact.kind,
                "content_type": artifact.media_type,
                "hash_sha256": artifact.sha256,
                "byte_size": artifact.byte_size,
            } }));
            position.given.artifacts += 1;
        }
        let full = page.len() == AUDIT_EVIDENCE_PAGE_MAX as usize;
        Ok(page.last().filter(|_| full).map(|artifact| artifact.id))
    }
}

/// A piece of an artifact's bytes.
#[expect(dead_code, reason = "until the object store is there")]
fn content_line(lines: &mut Lines, bytes: &[u8]) {
    lines.json(&json!({ "content": STANDARD.encode(bytes) }));
}
