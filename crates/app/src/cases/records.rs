//! Reads the records of a case. They are written by a tool (`builtin/record.rs`).

use domain::{
    artifact::ArtifactScope,
    id::RecordId,
    page::{Page, PageRequest},
    policy::{CaseId, TableName},
    record::CaseRecord,
};

use crate::{
    access::{AuditedActor, Participant},
    artifacts::check_visible,
    context::App,
    error::Result,
};

/// Those of one table, or of all, newest first.
pub async fn record_list(
    app: &App,
    who: &Participant,
    case_id: &CaseId,
    table: Option<&TableName>,
    page: PageRequest<RecordId>,
) -> Result<Page<CaseRecord, RecordId>> {
    let mut conn = app.db.read().await?;
    check_visible(&mut conn, who, &ArtifactScope::Case(case_id.clone())).await?;
    let organization_id = who.organization_id();
    Ok(store::record_list(&mut conn, organization_id, case_id, table, page).await?)
}
