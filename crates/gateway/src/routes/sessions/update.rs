//! Renaming a session.

use app::{access::Insider, sessions};
use axum::extract::State;
use domain::id::SessionId;
use wire::session::{SessionView, UpdateSessionRequest};

use crate::{
    extract::{Auth, Json, PathId},
    openapi::WriteProblems,
    routes::Answer,
    state::Gateway,
};

/// Change a session's title; `null` removes it.
#[utoipa::path(patch, path = "/v1/sessions/{id}", operation_id = "session_update", tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    request_body = UpdateSessionRequest,
    responses((status = 200, description = "The session as it is now", body = SessionView), WriteProblems))]
pub(crate) async fn update(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
    Json(request): Json<UpdateSessionRequest>,
) -> Answer<Json<SessionView>> {
    let session = match request.title.into_option() {
        None => sessions::fetch(&gateway.app, &insider, id).await?.session,
        Some(title) => sessions::set_title(&gateway.app, &insider, id, title.as_deref()).await?,
    };
    Ok(Json(session.into()))
}
