//! A whole log: every record, and the checkpoints that were signed on the way.

use domain::limits::AUDIT_PAGE_MAX;
use serde_json::json;
use store::AuditCheckpoint;

use super::{Bundle, lines::BundleLines, position::LogPosition};
use crate::error::Result;

impl Bundle {
    /// A page of records; `None` after the last line.
    pub(super) async fn log_page(
        &mut self,
        mut position: LogPosition,
        lines: &mut BundleLines,
    ) -> Result<Option<LogPosition>> {
        let size = self.checkpoint.size;
        let mut conn = self.app.db.read().await?;
        let records = store::audit_record_list(
            &mut conn,
            &self.organization_id,
            position.next,
            AUDIT_PAGE_MAX,
        )
        .await?;
        for record in records.iter().take_while(|record| record.seq < size) {
            lines.record(&self.organization_id, record);
            self.records += 1;
            position.next = record.seq + 1;
            if position.checkpoints.is_empty() && position.read < position.next {
                let page = store::audit_checkpoint_list(
                    &mut conn,
                    &self.organization_id,
                    position.read,
                    AUDIT_PAGE_MAX,
                )
                .await?;
                position.read = page.last().map_or(i64::MAX, |last| last.size);
                position.checkpoints.extend(page);
            }
            let reached = |checkpoint: &AuditCheckpoint| checkpoint.size <= position.next;
            while let Some(checkpoint) = position.checkpoints.pop_front_if(|c| reached(c)) {
                // The last one is in the header.
                if checkpoint.size < size {
                    lines.json(&json!({ "checkpoint": checkpoint.note }));
                    position.given += 1;
                }
            }
        }
        // A log that was cut below its checkpoint ends here; the verifier reports it.
        if position.next < size && !records.is_empty() {
            return Ok(Some(position));
        }
        let (records, checkpoints) = (self.records, position.given);
        lines.json(&json!({ "end": { "records": records, "checkpoints": checkpoints } }));
        Ok(None)
    }
}
