//! The organizations of this installation, for its operators.

use app::{
    access::FleetAdmin,
    organizations::{self, NewOrganization, NewOwner},
};
use axum::{extract::State, http::StatusCode};
use domain::id::OrganizationId;
use wire::{
    organization::{
        CreateOrganizationRequest, CreatedOrganization, OrganizationView, OrganizationsResponse,
        SuspendOrganizationRequest,
    },
    secret_text::SecretText,
};

use super::Answer;
use crate::{
    extract::{Auth, Json, PathId},
    openapi::{EndProblems, ReadProblems, WriteProblems},
    state::Gateway,
};

/// The organizations of this installation. For operators.
#[utoipa::path(get, path = "/v1/organizations", operation_id = "organization_list", tag = "organizations",
    responses((status = 200, description = "By name", body = OrganizationsResponse), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<FleetAdmin>,
) -> Answer<Json<OrganizationsResponse>> {
    let (items, has_more) = organizations::list(&gateway.app, &admin).await?;
    let items = items.into_iter().map(Into::into).collect();
    Ok(Json(OrganizationsResponse { items, has_more }))
}

/// Make an organization with its owner. For operators.
///
/// The answer has a link that logs the owner in once, within an hour. A user with this address becomes the owner;
/// otherwise a user is made.
#[utoipa::path(post, path = "/v1/organizations", operation_id = "organization_create", tag = "organizations",
    request_body = CreateOrganizationRequest,
    responses((status = 201, description = "The organization", body = CreatedOrganization), WriteProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<FleetAdmin>,
    Json(request): Json<CreateOrganizationRequest>,
) -> Answer<(StatusCode, Json<CreatedOrganization>)> {
    let new = NewOrganization {
        name: request.organization_name,
        owner: NewOwner {
            name: request.owner_name,
            email: request.owner_email,
        },
    };
    let (organization, owner_id, code) = organizations::create(&gateway.app, &admin, &new).await?;
    let link = format!(
        "{}/login/dev?code={}",
        gateway.public_url().trim_end_matches('/'),
        code.expose()
    );
    let created = CreatedOrganization {
        organization: organization.into(),
        owner_id: owner_id.to_string(),
        login_link: SecretText::new(link),
    };
    Ok((StatusCode::CREATED, Json(created)))
}

/// Suspend an organization: it starts nothing and keeps everything. For operators.
///
/// Its callers can read, and its live sessions are saved and paused. Suspending it again changes the reason.
#[utoipa::path(post, path = "/v1/organizations/{id}/suspend", operation_id = "organization_suspend",
    tag = "organizations",
    params(("id" = String, Path, description = "The organization")),
    request_body = SuspendOrganizationRequest,
    responses((status = 200, description = "The organization", body = OrganizationView), WriteProblems))]
pub(crate) async fn suspend(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<FleetAdmin>,
    PathId(id): PathId<OrganizationId>,
    Json(request): Json<SuspendOrganizationRequest>,
) -> Answer<Json<OrganizationView>> {
    let organization = organizations::suspend(&gateway.app, &admin, &id, &request.reason).await?;
    Ok(Json(organization.into()))
}

/// End the suspension of an organization. For operators. Paused sessions continue when they are opened.
#[utoipa::path(post, path = "/v1/organizations/{id}/resume", operation_id = "organization_resume",
    tag = "organizations",
    params(("id" = String, Path, description = "The organization")),
    responses((status = 200, description = "The organization", body = OrganizationView), EndProblems))]
pub(crate) async fn resume(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<FleetAdmin>,
    PathId(id): PathId<OrganizationId>,
) -> Answer<Json<OrganizationView>> {
    let organization = organizations::resume(&gateway.app, &admin, &id).await?;
    Ok(Json(organization.into()))
}
