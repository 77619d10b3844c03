//! Sending prompts to the agent, and stopping it.

use app::{access::Insider, sessions};
use axum::{extract::State, http::StatusCode};
use domain::id::SessionId;
use hub::session::{Handle, NewPrompt};
use wire::live::{MessageSource, Prompt, PromptAccepted, PromptRequest};

use super::{hub, hub_failure};
use crate::{
    error::Failure,
    extract::{Auth, IdempotencyKey, Json, PathId},
    openapi::{PromptProblems, SteerProblems},
    routes::Answer,
    state::Gateway,
};

/// Send a prompt to the agent. It is recorded at once, and sent to the agent as soon as that is ready; a
/// paused session is resumed.
#[utoipa::path(post, path = "/proliferate/{id}/message", operation_id = "session_message",
    tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session"),
        ("Idempotency-Key" = Option<String>, Header,
            description = "A second prompt with the same key is the same prompt, and is run once")),
    request_body = PromptRequest,
    responses((status = 202, description = "Taken", body = PromptAccepted), PromptProblems))]
pub(crate) async fn message(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
    IdempotencyKey(key): IdempotencyKey,
    Json(request): Json<PromptRequest>,
) -> Answer<(StatusCode, Json<PromptAccepted>)> {
    let prompt = request.prompt(key)?;
    let handle = steered(&gateway, &insider, id).await?;
    let prompt = new_prompt(&insider, prompt, MessageSource::Api);
    let message_id = handle.prompt(prompt).await.map_err(hub_failure)?;
    let taken = PromptAccepted {
        ok: true,
        message_id,
    };
    Ok((StatusCode::ACCEPTED, Json(taken)))
}

/// Stop the agent's turn.
#[utoipa::path(post, path = "/proliferate/{id}/cancel", operation_id = "session_cancel", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 204, description = "The agent was asked to stop"), SteerProblems))]
pub(crate) async fn cancel(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
) -> Answer<StatusCode> {
    let hub = hub(&gateway)?;
    let steering = sessions::steer(&gateway.app, &insider, id).await?;
    let handle = hub.registry.open(&steering).await?;
    let access = steering.access();
    sessions::record(&gateway.app, &insider, access, "session_cancel").await?;
    handle.cancel().await.map_err(hub_failure)?;
    Ok(StatusCode::NO_CONTENT)
}

/// The hub of a session, for a caller who may steer it.
pub(super) async fn steered(
    gateway: &Gateway,
    insider: &Insider,
    id: SessionId,
) -> Result<Handle, Failure> {
    let hub = hub(gateway)?;
    let steering = sessions::steer(&gateway.app, insider, id).await?;
    Ok(hub.registry.open(&steering).await?)
}

/// A prompt of this caller, from any transport.
pub(super) fn new_prompt(insider: &Insider, prompt: Prompt, source: MessageSource) -> NewPrompt {
    NewPrompt {
        text: prompt.content,
        images: prompt.images,
        sender_id: insider.user_id().map(ToString::to_string),
        source: Some(source),
        // Prefixed, so that it cannot collide with the platform's own keys.
        key: prompt.idempotency_key.map(|key| format!("client:{key}")),
    }
}
