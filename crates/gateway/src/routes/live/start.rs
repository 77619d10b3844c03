//! Bringing a session up before anybody says something.

use app::access::Insider;
use axum::{extract::State, http::StatusCode};
use domain::id::SessionId;
use hub::session::NewPrompt;
use wire::live::MessageSource;

use super::{prompt::steered, refused};
use crate::{
    extract::{Auth, PathId},
    openapi::SteerProblems,
    routes::Answer,
    state::Gateway,
};

/// The key of a session's first prompt; those of clients have another beginning.
const INITIAL: &str = "initial";

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
    let (session, handle) = steered(&gateway, &insider, id).await?;
    if let Some(text) = session.initial_prompt {
        let prompt = NewPrompt {
            text,
            images: Vec::new(),
            sender_id: session.created_by.map(|user_id| user_id.to_string()),
            source: Some(MessageSource::Api),
            key: Some(INITIAL.to_owned()),
        };
        handle.prompt(prompt).await.map_err(refused)?;
    }
    // How it goes is told to whoever watches.
    tokio::spawn(async move { handle.ensure_ready().await });
    Ok(StatusCode::ACCEPTED)
}
