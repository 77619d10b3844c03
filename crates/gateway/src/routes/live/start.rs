//! Booting a session before its first prompt.

use app::access::Insider;
use axum::{extract::State, http::StatusCode};
use domain::id::SessionId;

use super::{hub_failure, prompt::steered};
use crate::{
    extract::{Auth, PathId},
    openapi::SteerProblems,
    routes::Answer,
    state::Gateway,
};

/// Boot a session's agent without waiting for a client. The session's initial prompt, if it has one, is sent to the
/// agent, once however often this is called.
#[utoipa::path(post, path = "/proliferate/{id}/eager-start", operation_id = "session_eager_start", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 202, description = "It comes up"), SteerProblems))]
pub(crate) async fn eager_start(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
) -> Answer<StatusCode> {
    // Opening it sends the initial prompt.
    let handle = steered(&gateway, &insider, id).await?;
    handle.wake().await.map_err(hub_failure)?;
    Ok(StatusCode::ACCEPTED)
}

/// Keep a session from being evicted for being idle.
#[utoipa::path(post, path = "/proliferate/{id}/heartbeat", operation_id = "session_heartbeat", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 204, description = "It is known"), SteerProblems))]
pub(crate) async fn heartbeat(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
) -> Answer<StatusCode> {
    let handle = steered(&gateway, &insider, id).await?;
    // Any attach counts, however short.
    handle.attach(None).await.map_err(hub_failure)?;
    Ok(StatusCode::NO_CONTENT)
}
