//! Listing cases.

use app::{access::Insider, cases};
use axum::extract::State;
use wire::{
    case::CaseView,
    page::{ListQuery, Page},
};

use crate::{
    extract::{Auth, Json, Query},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// The cases you are a member of, newest first.
#[utoipa::path(get, path = "/v1/cases", operation_id = "case_list", tag = "cases", params(ListQuery),
    responses((status = 200, description = "A page of cases", body = Page<CaseView>), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<Page<CaseView>>> {
    let page = cases::list(&gateway.app, &insider, query.page_request()?).await?;
    Ok(Json(Page::from_domain(page)))
}
