//! Bringing a session up before anybody says something.

use app::access::Insider;
use axum::{extract::State, http::StatusCode};
use domain::id::SessionId;

use super::prompt::steered;
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
    // How it goes is told to whoever watches.
    tokio::spawn(async move { handle.ensure_ready().await });
    Ok(StatusCode::ACCEPTED)
}
