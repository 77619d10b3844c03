//! The trail of one case or session: its records, each with the proof that it is in the signed log, and what
//! they refer to. Nothing of any other case or session.

use domain::{
    limits::{AUDIT_BUNDLE_CHECKPOINTS_MAX, AUDIT_PROOFS_PAGE_MAX},
    merkle,
};
use serde_json::json;
use sha2::Digest as _;
use store::{AuditRecord, Conn};
use uuid::Uuid;

use super::{
    Bundle,
    lines::{BundleLines, hashes},
    position::{TrailPart, TrailPosition, WrittenCounts},
};
use crate::{
    audit::{
        key::TrailEnd,
        sequence::{inconsistent, unsigned},
    },
    error::Result,
};

impl Bundle {
    /// A page of the trail; `false` after the last line.
    pub(super) async fn trail_page(
        &mut self,
        position: &mut TrailPosition,
        lines: &mut BundleLines,
    ) -> Result<bool> {
        let next = match std::mem::replace(&mut position.part, TrailPart::End) {
            TrailPart::Records(next) => {
                let next = self.trail_records(position, next, lines).await?;
                next.map_or(TrailPart::PolicyFiles(String::new()), TrailPart::Records)
            }
            TrailPart::PolicyFiles(after) => {
                let next = self.policy_files(position, &after, lines).await?;
                position.evidence.update(&lines.0);
                next.map_or(TrailPart::Artifacts(Uuid::nil()), TrailPart::PolicyFiles)
            }
            TrailPart::Artifacts(after) => {
                let next = self.artifacts(position, after, lines).await?;
                position.evidence.update(&lines.0);
                next.map_or(TrailPart::End, TrailPart::Artifacts)
            }
            TrailPart::End => {
                lines.json(&self.trail_end(position));
                return Ok(false);
            }
        };
        position.part = next;
        Ok(true)
    }

    /// Where to go on; `None` after the last record that is signed.
    async fn trail_records(
        &mut self,
        position: &mut TrailPosition,
        next: i64,
        lines: &mut BundleLines,
    ) -> Result<Option<i64>> {
        let mut conn = self.app.db.read().await?;
        let (organization_id, limit) = (&self.organization_id, AUDIT_PROOFS_PAGE_MAX);
        let page = store::audit_record_list_of_trail(
            &mut conn,
            organization_id,
            &position.trail,
            next,
            limit,
        )
        .await?;
        let signed = page
            .iter()
            .filter(|record| record.seq < self.checkpoint.size);
        let (mut count, full) = (0, page.len() == limit as usize);
        for record in signed {
            self.cover(&mut conn, position, Some(record), lines).await?;
            lines.record(&self.organization_id, record);
            let path = merkle::inclusion_path(unsigned(record.seq), unsigned(self.checkpoint.size));
            let proof = { &mut position.nodes }
                .proof(&mut conn, &path.unwrap_or_default())
                .await?;
            lines.json(&json!({ "proof": hashes(&proof) }));
            position.last.clone_from(&record.leaf);
            position.policies.extend(policies(record));
            count += 1;
        }
        self.records += count;
        if full && count == u64::from(limit) {
            return Ok(Some(next + i64::from(limit)));
        }
        self.cover(&mut conn, position, None, lines).await?;
        Ok(None)
    }

    /// Gives out the checkpoint that signed the records so far, once `next` is not among them, and finds the
    /// one that signs `next`.
    async fn cover(
        &self,
        conn: &mut Conn,
        position: &mut TrailPosition,
        next: Option<&AuditRecord>,
        lines: &mut BundleLines,
    ) -> Result<()> {
        let size = position.checkpoint.as_ref().map(|covers| covers.size);
        if next.is_some_and(|next| size.is_some_and(|size| next.seq < size)) {
            return Ok(());
        }
        if let Some(checkpoint) = position.checkpoint.take()
            && checkpoint.size < self.checkpoint.size
            && position.given.checkpoints < AUDIT_BUNDLE_CHECKPOINTS_MAX
        {
            let (old, new) = (unsigned(checkpoint.size), unsigned(self.checkpoint.size));
            let path = merkle::consistency_path(old, new).unwrap_or_default();
            let proof = hashes(&position.nodes.proof(conn, &path).await?);
            lines.json(&json!({ "checkpoint": checkpoint.note, "consistency": proof }));
            position.given.checkpoints += 1;
        }
        if let Some(next) = next {
            let covering =
                store::audit_checkpoint_list(conn, &self.organization_id, next.seq, 1).await?;
            position.checkpoint = covering.into_iter().next();
            if position.checkpoint.is_none() {
                let reason = "no checkpoint covers it".to_owned();
                return Err(inconsistent("audit_checkpoints", "size", &next.seq, reason));
            }
        }
        Ok(())
    }

    fn trail_end(&self, position: &TrailPosition) -> serde_json::Value {
        let WrittenCounts {
            checkpoints,
            policy_files,
            artifacts,
        } = position.given;
        let evidence = hex::encode(position.evidence.clone().finalize());
        let note = self.key.sign_trail(&TrailEnd {
            trail: &position.trail,
            size: unsigned(self.checkpoint.size),
            records: self.records,
            last: &position.last,
            evidence: &evidence,
        });
        json!({ "end": {
            "records": self.records,
            "checkpoints": checkpoints,
            "policy_files": policy_files,
            "artifacts": artifacts,
            "trail": note,
        } })
    }
}

/// The blob ids of the policy files that a record names.
fn policies(record: &AuditRecord) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Named {
        #[serde(default)]
        policy_versions: std::collections::BTreeMap<String, String>,
    }
    let named = serde_json::from_str::<Named>(&record.event);
    named.map_or_else(
        |_| Vec::new(),
        |named| named.policy_versions.into_values().collect(),
    )
}
