//! An organization's log as one file: a header line, then one line per record exactly as it was hashed.
//! Read and written a page at a time, so that its length does not matter.

use domain::{canonical::canonical_bytes, id::OrganizationId, limits::AUDIT_PAGE_MAX};
use serde_json::json;
use store::AuditCheckpoint;

use super::key::SigningKey;
use crate::{
    context::App,
    error::{Error, Result},
};

/// The first member of the header.
pub const FORMAT: &str = "proliferate-audit-bundle/1";

/// A log on its way out, up to its last checkpoint.
#[derive(Debug)]
pub struct Bundle {
    app: App,
    organization_id: OrganizationId,
    checkpoint: AuditCheckpoint,
    /// The first record that was not given out; `None` before the header.
    next: Option<i64>,
}

impl Bundle {
    /// `Error::NotFound` for a log that was never signed.
    pub async fn open(app: &App, organization_id: &OrganizationId) -> Result<Self> {
        let mut conn = app.db.read().await?;
        let checkpoint = conn.audit_checkpoint_last(organization_id).await?;
        Ok(Self {
            app: app.clone(),
            organization_id: organization_id.clone(),
            checkpoint: checkpoint.ok_or(Error::NotFound("audit log"))?,
            next: None,
        })
    }

    /// How many records it has.
    pub fn size(&self) -> i64 {
        self.checkpoint.size
    }

    /// Whole lines that follow what was given out before; `None` at the end.
    pub async fn next_page(&mut self) -> Result<Option<Vec<u8>>> {
        let Some(from) = self.next else {
            self.next = Some(0);
            return self.header().map(Some);
        };
        if from >= self.checkpoint.size {
            return Ok(None);
        }
        let mut conn = self.app.db.read().await?;
        let records = conn
            .audit_record_list(&self.organization_id, from, AUDIT_PAGE_MAX)
            .await?;
        let mut lines = String::new();
        for record in &records {
            if record.seq >= self.checkpoint.size {
                break;
            }
            // Not parsed: what was changed in the database is given out as it is, for the verifier to
            // find.
            record
                .envelope(&self.organization_id)
                .write(&record.event, &mut lines);
            lines.push('\n');
        }
        // A log that was cut below its checkpoint ends here; whoever verifies it will say so.
        let after = records.last().map(|record| record.seq + 1);
        self.next = Some(after.unwrap_or(self.checkpoint.size));
        Ok(Some(lines.into_bytes()))
    }

    fn header(&self) -> Result<Vec<u8>> {
        let key = SigningKey::of(&self.app.keyring, &self.organization_id)?;
        let mut line = canonical_bytes(&json!({
            "format": FORMAT,
            "organization_id": self.organization_id.as_str(),
            "checkpoint": self.checkpoint.note,
            "verifier_key": key.verifier_key(),
        }));
        line.push(b'\n');
        Ok(line)
    }
}
