//! Reading the records of a case.

use app::{access::Participant, cases};
use axum::extract::State;
use domain::policy::CaseId;
use wire::{
    page::Page,
    record::{CaseRecordView, ListCaseRecordsQuery},
};

use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// The records of a case, newest first: what calls of `record.write` stored.
#[utoipa::path(get, path = "/v1/cases/{id}/records", operation_id = "case_record_list", tag = "cases",
    params(("id" = String, Path, description = "The case"), ListCaseRecordsQuery),
    responses((status = 200, description = "A page of records", body = Page<CaseRecordView>),
        ReadProblems))]
pub(crate) async fn records(
    State(gateway): State<Gateway>,
    Auth(who): Auth<Participant>,
    PathId(id): PathId<CaseId>,
    Query(query): Query<ListCaseRecordsQuery>,
) -> Answer<Json<Page<CaseRecordView>>> {
    let (table, page) = (query.table()?, query.page_request()?);
    let page = cases::record_list(&gateway.app, &who, &id, table.as_ref(), page).await?;
    Ok(Json(Page::from_domain(page)))
}
