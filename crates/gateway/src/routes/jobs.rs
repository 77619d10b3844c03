//! Durable jobs.

use app::{access::Admin, jobs};
use axum::extract::State;
use wire::{
    job::{JobListQuery, JobView},
    page::Page,
};

use super::Answer;
use crate::{
    extract::{Auth, Json, Query},
    openapi::ReadProblems,
    state::Gateway,
};

/// Jobs for the organization's sessions: waiting, running and finished, newest first. For admins.
///
/// Finished jobs are kept for a week.
#[utoipa::path(get, path = "/v1/jobs", operation_id = "job_list", tag = "operations",
    params(JobListQuery),
    responses((status = 200, description = "A page of jobs", body = Page<JobView>), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Query(query): Query<JobListQuery>,
) -> Answer<Json<Page<JobView>>> {
    let state = query.state.map(Into::into);
    let page = jobs::list(&gateway.app, &admin, state, query.page_request()?).await?;
    Ok(Json(Page::from_domain(page)))
}
