//! Secrets over HTTP: stored, replaced, deleted, but never returned.

use app::{
    access::{Insider, Person},
    secrets::{self, NewSecret, SecretChange},
};
use axum::{extract::State, http::StatusCode};
use domain::{id::SecretId, invalid::bounded_count, limits::ENV_IMPORT_KEYS_MAX};
use secrecy::SecretString;
use wire::{
    page::Page,
    secret::{
        CheckSecretsRequest, CreateSecretRequest, ImportSecretsRequest, ImportSecretsResponse,
        ListSecretsQuery, OnExisting, SecretCheck, SecretView, UpdateSecretRequest,
    },
    secret_text::SecretText,
};

use super::Answer;
use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::{ReadProblems, WriteProblems},
    state::Gateway,
};

/// The organization's secrets, newest first, without their values.
#[utoipa::path(get, path = "/v1/secrets", operation_id = "secret_list", tag = "secrets",
    params(ListSecretsQuery),
    responses((status = 200, description = "A page of secrets", body = Page<SecretView>), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Query(query): Query<ListSecretsQuery>,
) -> Answer<Json<Page<SecretView>>> {
    let (scope, page) = (query.scope()?, query.page_request()?);
    let page = secrets::list(&gateway.app, &insider, scope, page).await?;
    Ok(Json(Page::from_domain(page)))
}

/// Store a secret. An existing key in the scope is refused: use `PATCH` to replace it.
#[utoipa::path(post, path = "/v1/secrets", operation_id = "secret_create", tag = "secrets",
    request_body = CreateSecretRequest,
    responses((status = 201, description = "The secret, without its value", body = SecretView), WriteProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    Auth(person): Auth<Person>,
    Json(request): Json<CreateSecretRequest>,
) -> Answer<(StatusCode, Json<SecretView>)> {
    let new = NewSecret {
        scope: request.scope()?,
        key: request.key,
        value: secret(request.value),
        description: request.description,
    };
    let secret = secrets::create(&gateway.app, &person, new).await?;
    Ok((StatusCode::CREATED, Json(secret.into())))
}

/// Store many secrets from the text of a .env file, all or nothing.
#[utoipa::path(post, path = "/v1/secrets/import", operation_id = "secret_import", tag = "secrets",
    request_body = ImportSecretsRequest,
    responses((status = 200, description = "The keys, by result", body = ImportSecretsResponse), WriteProblems))]
pub(crate) async fn import(
    State(gateway): State<Gateway>,
    Auth(person): Auth<Person>,
    Json(request): Json<ImportSecretsRequest>,
) -> Answer<Json<ImportSecretsResponse>> {
    let on_existing = match request.on_existing {
        OnExisting::Skip => secrets::OnExisting::Skip,
        OnExisting::Update => secrets::OnExisting::Update,
    };
    let (scope, text) = (request.scope()?, request.text.expose());
    let imported = secrets::import(&gateway.app, &person, scope, text, on_existing).await?;
    Ok(Json(ImportSecretsResponse {
        created: imported.created,
        updated: imported.updated,
        skipped: imported.skipped,
    }))
}

/// Which of these keys exist in the scope?
#[utoipa::path(post, path = "/v1/secrets/check", operation_id = "secret_check", tag = "secrets",
    request_body = CheckSecretsRequest,
    responses((status = 200, description = "Each key, in the order asked", body = Vec<SecretCheck>), WriteProblems))]
pub(crate) async fn check(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Json(request): Json<CheckSecretsRequest>,
) -> Answer<Json<Vec<SecretCheck>>> {
    bounded_count("keys", request.keys.len(), ENV_IMPORT_KEYS_MAX)?;
    let scope = request.scope()?;
    let found = secrets::check(&gateway.app, &insider, scope, request.keys).await?;
    Ok(Json(
        found
            .into_iter()
            .map(|(key, exists)| SecretCheck { key, exists })
            .collect(),
    ))
}

/// Replace a secret's value or description.
#[utoipa::path(patch, path = "/v1/secrets/{id}", operation_id = "secret_update", tag = "secrets",
    params(("id" = uuid::Uuid, Path, description = "The secret")),
    request_body = UpdateSecretRequest,
    responses((status = 200, description = "The secret, without its value", body = SecretView), WriteProblems))]
pub(crate) async fn update(
    State(gateway): State<Gateway>,
    Auth(person): Auth<Person>,
    PathId(id): PathId<SecretId>,
    Json(request): Json<UpdateSecretRequest>,
) -> Answer<Json<SecretView>> {
    let change = SecretChange {
        value: request.value.map(secret),
        description: request.description.into_option(),
    };
    Ok(Json(
        secrets::update(&gateway.app, &person, id, change)
            .await?
            .into(),
    ))
}

/// Delete a secret.
#[utoipa::path(delete, path = "/v1/secrets/{id}", operation_id = "secret_delete", tag = "secrets",
    params(("id" = uuid::Uuid, Path, description = "The secret")),
    responses((status = 204, description = "It is gone"), ReadProblems))]
pub(crate) async fn delete(
    State(gateway): State<Gateway>,
    Auth(person): Auth<Person>,
    PathId(id): PathId<SecretId>,
) -> Answer<StatusCode> {
    secrets::delete(&gateway.app, &person, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn secret(text: SecretText) -> SecretString {
    SecretString::from(text.into_exposed())
}
