//! Meetings with the client of a case.

use app::{access::Insider, cases};
use axum::{extract::State, http::StatusCode};
use domain::policy::CaseId;
use wire::case::{ClientSessionView, CreateClientSessionRequest};

use crate::{
    extract::{Auth, Json, PathId},
    openapi::WriteProblems,
    routes::Answer,
    state::Gateway,
};

/// Add a meeting with the client; for members alone.
#[utoipa::path(post, path = "/v1/cases/{id}/client-sessions", operation_id = "case_client_session_create",
    tag = "cases",
    params(("id" = String, Path, description = "The case")),
    request_body = CreateClientSessionRequest,
    responses((status = 201, description = "The meeting", body = ClientSessionView), WriteProblems))]
pub(crate) async fn client_session_create(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<CaseId>,
    Json(request): Json<CreateClientSessionRequest>,
) -> Answer<(StatusCode, Json<ClientSessionView>)> {
    let meeting = request.id()?;
    let meeting = cases::client_session_create(&gateway.app, &insider, &id, meeting).await?;
    Ok((StatusCode::CREATED, Json(meeting.into())))
}
