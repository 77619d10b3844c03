//! Opening a case.

use app::{
    access::Insider,
    cases::{self, NewCase},
};
use axum::{extract::State, http::StatusCode};
use wire::case::{CaseView, CreateCaseRequest};

use crate::{
    extract::{Auth, Json},
    openapi::WriteProblems,
    routes::Answer,
    state::Gateway,
};

/// Open a case; you are its first member.
#[utoipa::path(post, path = "/v1/cases", operation_id = "case_create", tag = "cases",
    request_body = CreateCaseRequest,
    responses((status = 201, description = "The case", body = CaseView), WriteProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Json(request): Json<CreateCaseRequest>,
) -> Answer<(StatusCode, Json<CaseView>)> {
    let new = NewCase {
        id: request.id()?,
        title: request.title,
    };
    let case = cases::create(&gateway.app, &insider, new).await?;
    Ok((StatusCode::CREATED, Json(case.into())))
}
