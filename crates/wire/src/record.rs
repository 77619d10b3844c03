//! Records of a case.

use chrono::{DateTime, Utc};
use domain::{
    Invalid,
    id::RecordId,
    page::PageRequest,
    policy::{InvalidName, TableName},
    record::CaseRecord,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::page::page_request;

/// An artifact in a table of its case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseRecordView {
    pub id: String,
    pub case_id: String,
    #[schema(example = "case_notes")]
    pub table: String,
    /// The key it is replaced by; absent for an appended record.
    pub key: Option<String>,
    pub artifact_id: String,
    /// The run that wrote it last.
    pub run_id: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// Which records.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListCaseRecordsQuery {
    /// Those of this table alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(example = "case_notes")]
    pub table: Option<String>,
    /// `nextCursor` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How many entries at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<u32>,
}

impl ListCaseRecordsQuery {
    pub fn table(&self) -> Result<Option<TableName>, Invalid> {
        let refuse = |error: InvalidName| Invalid::new("table", error.to_string());
        let table = self.table.as_deref().map(str::parse);
        table.transpose().map_err(refuse)
    }

    pub fn page_request(&self) -> Result<PageRequest<RecordId>, Invalid> {
        page_request(self.cursor.as_deref(), self.limit)
    }
}

impl From<CaseRecord> for CaseRecordView {
    fn from(record: CaseRecord) -> Self {
        Self {
            id: record.id.to_string(),
            case_id: record.case_id.to_string(),
            table: record.table.to_string(),
            key: record.key.map(|key| key.to_string()),
            artifact_id: record.artifact_id.to_string(),
            run_id: record.run_id.to_string(),
            created_at: record.created_at.datetime(),
            updated_at: record.updated_at.datetime(),
        }
    }
}
