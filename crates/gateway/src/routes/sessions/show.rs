//! One session.

use app::{access::Insider, sessions};
use axum::extract::State;
use domain::id::SessionId;
use wire::session::SessionDetail;

use crate::{
    extract::{Auth, Json, PathId},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// A session and its connections.
#[utoipa::path(get, path = "/v1/sessions/{id}", operation_id = "session_show", tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 200, description = "The session", body = SessionDetail), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
) -> Answer<Json<SessionDetail>> {
    let found = sessions::fetch(&gateway.app, &insider, id).await?;
    Ok(Json(SessionDetail::new(
        found.session,
        &found.integration_ids,
        &found.rights,
    )))
}
