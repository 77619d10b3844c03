//! The model, for agents in their sandboxes: Anthropic's Messages API at a URL of the gateway. Requests and
//! responses are the provider's; callers, budgets and keys are checked here.

mod failure;
mod key;

use app::models::{self, ModelEndpoint, ModelRequest};
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use domain::limits::MODEL_REQUEST_BYTES_MAX;

pub(crate) use self::failure::{ModelFailure, ModelProblems};
use self::key::ModelKey;
use crate::{extract::read, state::Gateway};

/// Failures below it are in the format of an agent's model library.
pub(crate) const PREFIX: &str = "/llm/";
/// Those that last as long as a model thinks.
pub(crate) const ROUTES: [&str; 2] = [
    "/llm/anthropic/v1/messages",
    "/llm/anthropic/v1/messages/count_tokens",
];

/// Send a request to the session's model.
///
/// Anthropic's Messages API, whole or as a stream. The key is the session's own (`mdl_...`, as `x-api-key` or as a
/// bearer token) and is valid for the boot of the sandbox it was issued for. The body is passed to the provider
/// unchanged, but for the model's name. Usage is counted, and a session that has used up its budget gets 402.
/// Errors are in the provider's envelope.
#[utoipa::path(post, path = "/llm/anthropic/v1/messages", operation_id = "model_message", tag = "models",
    params(("x-api-key" = Option<String>, Header, description = "The session's model key")),
    request_body(content = Map<String, Value>, description = "As in the provider's API"),
    responses((status = 200, description = "The provider's response, or its stream of events",
        body = Map<String, Value>), ModelProblems))]
pub(crate) async fn messages(
    State(gateway): State<Gateway>,
    key: ModelKey,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ModelFailure> {
    forward_to_model(&gateway, &key, ModelEndpoint::Messages, headers, body).await
}

/// Count the tokens of a request to the session's model. Free of charge.
#[utoipa::path(post, path = "/llm/anthropic/v1/messages/count_tokens", operation_id = "model_token_count",
    tag = "models",
    params(("x-api-key" = Option<String>, Header, description = "The session's model key")),
    request_body(content = Map<String, Value>, description = "As in the provider's API"),
    responses((status = 200, description = "The provider's response",
        body = Map<String, Value>), ModelProblems))]
pub(crate) async fn count_tokens(
    State(gateway): State<Gateway>,
    key: ModelKey,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ModelFailure> {
    forward_to_model(&gateway, &key, ModelEndpoint::CountTokens, headers, body).await
}

async fn forward_to_model(
    gateway: &Gateway,
    ModelKey(user): &ModelKey,
    endpoint: ModelEndpoint,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ModelFailure> {
    // No memory is reserved for the announced length; but the body is not longer than that.
    let length = headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|value| value.to_str().ok()?.parse().ok());
    let length = length.unwrap_or(MODEL_REQUEST_BYTES_MAX);
    if length > MODEL_REQUEST_BYTES_MAX {
        return Err(ModelFailure::too_large());
    }
    let mut body_permit = gateway.app.models.reserve_request(&user.claimant())?;
    let permit = Some(&mut body_permit);
    let body = read(gateway, body, length, permit).await?;
    let request = ModelRequest {
        endpoint,
        headers,
        body,
        body_permit,
    };
    let answer = models::forward(&gateway.app, user, request).await?;
    let mut response = Response::new(Body::from_stream(answer.pieces));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    response.headers_mut().extend(answer.headers);
    Ok(response)
}
