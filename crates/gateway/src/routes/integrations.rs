//! Integrations over HTTP.

use app::{
    access::{Admin, Insider, Person},
    integrations::{self, IntegrationChange, NewCredentials, NewIntegration},
};
use axum::{extract::State, http::StatusCode};
use domain::{Invalid, id::IntegrationId};
use secrecy::SecretString;
use wire::{
    integration::{CreateIntegrationRequest, IntegrationView, UpdateIntegrationRequest},
    page::{ListQuery, Page},
};

use super::Answer;
use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::{ReadProblems, WriteProblems},
    state::Gateway,
};

/// The organization's connections, newest first.
#[utoipa::path(get, path = "/v1/integrations", operation_id = "integration_list",
    tag = "integrations", params(ListQuery),
    responses((status = 200, description = "A page of integrations", body = Page<IntegrationView>), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<Page<IntegrationView>>> {
    let page = integrations::list(&gateway.app, &insider, query.page_request()?).await?;
    Ok(Json(Page::from_domain(page)))
}

/// Connect a service by its API token, or GitHub by the organization's own app. For admins.
#[utoipa::path(post, path = "/v1/integrations", operation_id = "integration_create",
    tag = "integrations", request_body = CreateIntegrationRequest,
    responses((status = 201, description = "The integration, without its token", body = IntegrationView), WriteProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Json(request): Json<CreateIntegrationRequest>,
) -> Answer<(StatusCode, Json<IntegrationView>)> {
    let credentials = match (request.token, request.github_app) {
        (Some(token), None) => NewCredentials::Token(token.into_exposed().into()),
        (None, Some(app)) => NewCredentials::GithubApp {
            app_id: app.app_id,
            installation_id: app.installation_id,
            private_key: app.private_key.into_exposed().into(),
        },
        (None, None) => return Err(Invalid::new("token", "is required").into()),
        (Some(_), Some(_)) => {
            let message = "must not be given together with a token";
            return Err(Invalid::new("githubApp", message).into());
        }
    };
    let new = NewIntegration {
        service: request.integration_id,
        display_name: request.display_name,
        credentials,
        scopes: request.scopes,
    };
    let integration = integrations::create(&gateway.app, &admin, new).await?;
    Ok((StatusCode::CREATED, Json(integration.into())))
}

/// A connection.
#[utoipa::path(get, path = "/v1/integrations/{id}", operation_id = "integration_show",
    tag = "integrations", params(("id" = uuid::Uuid, Path, description = "The integration")),
    responses((status = 200, description = "The integration", body = IntegrationView), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<IntegrationId>,
) -> Answer<Json<IntegrationView>> {
    Ok(Json(
        integrations::fetch(&gateway.app, &insider, id)
            .await?
            .into(),
    ))
}

/// Rename, suspend or reconnect. For admins.
#[utoipa::path(patch, path = "/v1/integrations/{id}", operation_id = "integration_update",
    tag = "integrations", params(("id" = uuid::Uuid, Path, description = "The integration")),
    request_body = UpdateIntegrationRequest,
    responses((status = 200, description = "The integration as it is now", body = IntegrationView), WriteProblems))]
pub(crate) async fn update(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<IntegrationId>,
    Json(request): Json<UpdateIntegrationRequest>,
) -> Answer<Json<IntegrationView>> {
    let change = IntegrationChange {
        display_name: request.display_name,
        token: request
            .token
            .map(|token| SecretString::from(token.into_exposed())),
        status: request.status.map(Into::into),
    };
    Ok(Json(
        integrations::update(&gateway.app, &admin, id, change)
            .await?
            .into(),
    ))
}

/// Disconnect. An admin may remove any connection, a member their own.
#[utoipa::path(delete, path = "/v1/integrations/{id}", operation_id = "integration_delete",
    tag = "integrations", params(("id" = uuid::Uuid, Path, description = "The integration")),
    responses((status = 204, description = "It is gone"), ReadProblems))]
pub(crate) async fn delete(
    State(gateway): State<Gateway>,
    Auth(person): Auth<Person>,
    PathId(id): PathId<IntegrationId>,
) -> Answer<StatusCode> {
    integrations::delete(&gateway.app, &person, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
