//! Saying something to the agent, and stopping it.

use app::access::Insider;
use axum::{extract::State, http::StatusCode};
use domain::id::SessionId;
use hub::session::NewPrompt;
use wire::live::{MessageSource, PromptAccepted, PromptRequest};

use super::{house, refused};
use crate::{
    extract::{Auth, Json, PathId},
    openapi::{LiveProblems, PromptProblems},
    routes::Answer,
    state::Gateway,
};

/// Say something to the agent. It is on record at once, and given to the agent as soon as that is ready; a
/// session that sleeps is woken.
#[utoipa::path(post, path = "/proliferate/{id}/message", operation_id = "session_message",
    tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    request_body = PromptRequest,
    responses((status = 202, description = "Taken", body = PromptAccepted), PromptProblems))]
pub(crate) async fn message(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
    Json(request): Json<PromptRequest>,
) -> Answer<(StatusCode, Json<PromptAccepted>)> {
    request.validate()?;
    let handle = house(&gateway)?
        .session(insider.organization_id(), id)
        .await?;
    let prompt = NewPrompt {
        text: request.content,
        images: request.images,
        sender_id: insider.user_id().map(ToString::to_string),
        source: Some(MessageSource::Api),
    };
    let message_id = handle.prompt(prompt).await.map_err(refused)?;
    let taken = PromptAccepted {
        ok: true,
        message_id,
    };
    Ok((StatusCode::ACCEPTED, Json(taken)))
}

/// Stop what the agent does.
#[utoipa::path(post, path = "/proliferate/{id}/cancel", operation_id = "session_cancel", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 204, description = "It was told to stop"), LiveProblems))]
pub(crate) async fn cancel(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
) -> Answer<StatusCode> {
    let handle = house(&gateway)?
        .session(insider.organization_id(), id)
        .await?;
    handle.cancel().await.map_err(refused)?;
    Ok(StatusCode::NO_CONTENT)
}
