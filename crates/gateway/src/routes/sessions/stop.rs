//! Ending a session.

use app::{access::Insider, sessions};
use axum::extract::State;
use domain::id::SessionId;
use wire::session::SessionView;

use crate::{
    extract::{Auth, Json, PathId},
    openapi::EndProblems,
    routes::Answer,
    state::Gateway,
};

/// Stop a session for good. Its record stays; stopping it again changes nothing.
#[utoipa::path(delete, path = "/v1/sessions/{id}", operation_id = "session_stop", tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 200, description = "The session as it is now", body = SessionView), EndProblems))]
pub(crate) async fn stop(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
) -> Answer<Json<SessionView>> {
    let by = insider
        .user_id()
        .map_or_else(|| "a service".to_owned(), ToString::to_string);
    let reason = format!("stopped by {by}");
    let session = sessions::stop(&gateway.app, &insider, id, &reason).await?;
    Ok(Json(session.into()))
}
