//! Bringing a session up before anybody says something.

use app::access::Insider;
use axum::{extract::State, http::StatusCode};
use domain::id::SessionId;

use super::{prompt::steered, refused};
use crate::{
    extract::{Auth, PathId},
    openapi::SteerProblems,
    routes::Answer,
    state::Gateway,
};

/// Bring a session's agent up without waiting for somebody to connect. The prompt that the session was made with, if
/// it was, is given to the agent, once however often this is asked for.
#[utoipa::path(post, path = "/proliferate/{id}/eager-start", operation_id = "session_eager_start", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 202, description = "It comes up"), SteerProblems))]
pub(crate) async fn eager_start(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
) -> Answer<StatusCode> {
    // Opening it says what it was made for.
    let handle = steered(&gateway, &insider, id).await?;
    handle.wake().await.map_err(refused)?;
    Ok(StatusCode::ACCEPTED)
}

/// Say that somebody is still there, so that the session is not put away for being idle.
#[utoipa::path(post, path = "/proliferate/{id}/heartbeat", operation_id = "session_heartbeat", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 204, description = "It is known"), SteerProblems))]
pub(crate) async fn heartbeat(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
) -> Answer<StatusCode> {
    let handle = steered(&gateway, &insider, id).await?;
    // Whoever comes counts, however soon they leave.
    handle.attach(None).await.map_err(refused)?;
    Ok(StatusCode::NO_CONTENT)
}
