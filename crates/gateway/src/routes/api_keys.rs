//! API keys over HTTP.

use std::time::Duration;

use app::{access::Person, api_keys};
use axum::{extract::State, http::StatusCode};
use domain::id::ApiKeyId;
use wire::{
    api_key::{ApiKeyView, CreateApiKeyRequest, CreateApiKeyResponse},
    page::{ListQuery, Page},
    secret_text::SecretText,
};

use super::Answer;
use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::{ReadProblems, WriteProblems},
    state::Gateway,
};

/// Your API keys; those of all users if you are an admin.
#[utoipa::path(get, path = "/v1/api-keys", operation_id = "api_key_list", tag = "api-keys",
    params(ListQuery),
    responses((status = 200, description = "A page of keys", body = Page<ApiKeyView>), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(person): Auth<Person>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<Page<ApiKeyView>>> {
    let page = api_keys::list(&gateway.app, &person, query.page_request()?).await?;
    Ok(Json(Page::from_domain(page)))
}

/// Create an API key. Only this response shows it.
#[utoipa::path(post, path = "/v1/api-keys", operation_id = "api_key_create", tag = "api-keys",
    request_body = CreateApiKeyRequest,
    responses((status = 201, description = "The key", body = CreateApiKeyResponse), WriteProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    Auth(person): Auth<Person>,
    Json(request): Json<CreateApiKeyRequest>,
) -> Answer<(StatusCode, Json<CreateApiKeyResponse>)> {
    let ttl = request.expires_in_seconds.map(Duration::from_secs);
    let (key, text) = api_keys::create(&gateway.app, &person, &request.name, ttl).await?;
    let response = CreateApiKeyResponse {
        api_key: key.into(),
        key: SecretText::new(text.expose()),
    };
    Ok((StatusCode::CREATED, Json(response)))
}

/// Revoke an API key: your own, or any user's if you are an admin.
#[utoipa::path(delete, path = "/v1/api-keys/{id}", operation_id = "api_key_revoke", tag = "api-keys",
    params(("id" = uuid::Uuid, Path, description = "The key's id")),
    responses((status = 200, description = "The key as it is now", body = ApiKeyView), ReadProblems))]
pub(crate) async fn revoke(
    State(gateway): State<Gateway>,
    Auth(person): Auth<Person>,
    PathId(id): PathId<ApiKeyId>,
) -> Answer<Json<ApiKeyView>> {
    Ok(Json(
        api_keys::revoke(&gateway.app, &person, id).await?.into(),
    ))
}
