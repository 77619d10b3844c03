//! Records of a case: artifacts kept in tables, so that what was found out can be looked up by where it
//! belongs. A table is a name that a lane lists, not a table of the database.

use crate::{
    clock::Timestamp,
    id::{ArtifactId, OrganizationId, RecordId, RunId},
    policy::{CaseId, RecordKey, TableName},
};

/// An artifact in a table of its case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseRecord {
    pub id: RecordId,
    pub organization_id: OrganizationId,
    pub case_id: CaseId,
    pub table: TableName,
    /// What it is replaced by; `None` for what was appended, which stays.
    pub key: Option<RecordKey>,
    pub artifact_id: ArtifactId,
    /// The run that wrote it last.
    pub run_id: RunId,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}
