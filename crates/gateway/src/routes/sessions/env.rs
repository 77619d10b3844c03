//! Values that an agent requested from users.

use app::{
    access::{Person, Steering},
    sessions::{self, SubmitEnv, SubmittedEnv, SubmittedSecret},
};
use axum::extract::State;
use domain::id::SessionId;
use hub::{Hub, SandboxCallError};
use secrecy::SecretString;
use wire::{
    secret_text::SecretText,
    session::{SubmitEnvRequest, SubmitEnvResponse, SubmittedKey},
};

use crate::{
    extract::{Auth, Json, PathId},
    openapi::SubmitEnvProblems,
    routes::{
        Answer,
        live::{hub, hub_failure},
    },
    state::Gateway,
};

/// Provide the values that a session's agent requested.
///
/// They are written to the env file of its sandbox; secrets are also stored for its next sandbox, replacing stored
/// ones. A paused session is resumed. The agent gets the names.
#[utoipa::path(post, path = "/v1/sessions/{id}/env", operation_id = "session_env_submit", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    request_body = SubmitEnvRequest,
    responses((status = 200, description = "They are there", body = SubmitEnvResponse), SubmitEnvProblems))]
pub(crate) async fn env_submit(
    State(gateway): State<Gateway>,
    Auth(person): Auth<Person>,
    PathId(id): PathId<SessionId>,
    Json(request): Json<SubmitEnvRequest>,
) -> Answer<Json<SubmitEnvResponse>> {
    let hub = hub(&gateway)?.clone();
    let command = command(request);
    let (steering, submitted) = sessions::submit_env(&gateway.app, &person, id, command).await?;
    // In a task of its own: a boot may outlast a request, and the values must be delivered all the
    // same.
    let work =
        tokio::spawn(async move { deliver_values(&hub, &person, &steering, submitted).await });
    let given = work.await;
    given.unwrap_or_else(|error| Err(app::Error::from(error).into()))
}

async fn deliver_values(
    hub: &Hub,
    person: &Person,
    steering: &Steering,
    submitted: SubmittedEnv,
) -> Answer<Json<SubmitEnvResponse>> {
    let SubmittedEnv { values, keys } = submitted;
    let sender = person.user_id().to_string();
    let given = hub.inside.give_env_values(steering, &values, Some(sender));
    let message_id = given.await.map_err(|error| match error {
        SandboxCallError::App(error) => error.into(),
        SandboxCallError::Hub(error) => hub_failure(error),
    })?;
    let results = keys.into_iter().map(|key| SubmittedKey {
        key: key.key,
        persisted: key.persisted,
        already_existed: key.already_existed,
    });
    Ok(Json(SubmitEnvResponse {
        submitted: true,
        results: results.collect(),
        message_id,
    }))
}

fn command(request: SubmitEnvRequest) -> SubmitEnv {
    let secret = |text: SecretText| SecretString::from(text.into_exposed());
    let env_vars = request.env_vars.into_iter();
    let secrets = request.secrets.into_iter().map(|given| SubmittedSecret {
        key: given.key,
        value: secret(given.value),
        description: given.description,
        persist: given.persist.unwrap_or(true),
    });
    SubmitEnv {
        secrets: secrets.collect(),
        env_vars: env_vars.map(|(key, value)| (key, secret(value))).collect(),
        save_to_configuration: request.save_to_configuration,
    }
}
