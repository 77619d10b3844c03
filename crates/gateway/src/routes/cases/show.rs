//! One case.

use app::{access::Insider, cases};
use axum::extract::State;
use domain::policy::CaseId;
use wire::case::CaseDetail;

use crate::{
    extract::{Auth, Json, PathId},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// A case, its members and its meetings; for members alone.
#[utoipa::path(get, path = "/v1/cases/{id}", operation_id = "case_show", tag = "cases",
    params(("id" = String, Path, description = "The case")),
    responses((status = 200, description = "The case", body = CaseDetail), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<CaseId>,
) -> Answer<Json<CaseDetail>> {
    let found = cases::fetch(&gateway.app, &insider, &id).await?;
    Ok(Json(CaseDetail::new(
        found.case,
        &found.members,
        &found.client_sessions,
    )))
}
