//! The lines of a bundle.

use domain::{canonical::canonical_bytes, id::OrganizationId, merkle::Hash};
use serde_json::Value;
use store::AuditRecord;

/// The lines that are being written.
#[derive(Debug, Default)]
pub(super) struct BundleLines(pub(super) String);

impl BundleLines {
    pub(super) fn json(&mut self, value: &Value) {
        // Canonical bytes are UTF-8.
        self.0
            .push_str(&String::from_utf8_lossy(&canonical_bytes(value)));
        self.0.push('\n');
    }

    /// Not parsed: what was changed in the database is given out as it is, for the verifier to find.
    pub(super) fn record(&mut self, organization_id: &OrganizationId, record: &AuditRecord) {
        record
            .envelope(organization_id)
            .write(&record.event, &mut self.0);
        self.0.push('\n');
    }
}

/// The hashes of a proof, as a line has them.
pub(super) fn hashes(proof: &[Hash]) -> Value {
    proof.iter().map(hex::encode).collect()
}
