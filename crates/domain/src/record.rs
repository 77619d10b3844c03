//! Records of a case: artifacts organized in tables, so that results can be looked up by their context.
//! A table is a name that a lane lists, not a table of the database.

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
    /// The key it is replaced by; `None` for an appended record, which stays.
    pub key: Option<RecordKey>,
    pub artifact_id: ArtifactId,
    /// The run that wrote it last.
    pub run_id: RunId,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}
