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
    responses(
        (status = 201, description = "The case", body = CaseView),
        (status = 200, description = "It was opened before, with this id and title", body = CaseView),
        WriteProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Json(request): Json<CreateCaseRequest>,
) -> Answer<(StatusCode, Json<CaseView>)> {
    let new = NewCase {
        id: request.id()?,
        title: request.title,
    };
    let created = cases::create(&gateway.app, &insider, new).await?;
    let status = if created.already_existed {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    };
    Ok((status, Json(created.case.into())))
}
