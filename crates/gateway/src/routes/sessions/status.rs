//! Whether a session has ended.

use app::{access::Insider, sessions};
use axum::extract::State;
use domain::id::SessionId;
use wire::session::SessionStatusResponse;

use crate::{
    extract::{Auth, Json, PathId},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// Has the session ended, and if so, when and why?
#[utoipa::path(get, path = "/proliferate/sessions/{id}/status", operation_id = "session_status", tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 200, description = "Its status", body = SessionStatusResponse), ReadProblems))]
pub(crate) async fn status(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
) -> Answer<Json<SessionStatusResponse>> {
    let found = sessions::fetch(&gateway.app, &insider, id).await?;
    Ok(Json(SessionStatusResponse::from(&found.session)))
}
