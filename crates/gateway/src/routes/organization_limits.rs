//! Limits of organizations: members see their own, admins choose below the ceiling, operators set the ceiling.

use app::{
    access::{Admin, FleetAdmin, Insider},
    organization_limits,
};
use axum::extract::State;
use domain::id::OrganizationId;
use wire::organization_limits::{OrganizationLimitsView, UpdateLimitsRequest};

use super::Answer;
use crate::{
    extract::{Auth, Json, PathId},
    openapi::{ReadProblems, WriteProblems},
    state::Gateway,
};

/// The limits of the organization: what the operator and the organization set, what is in force, and what is used now.
#[utoipa::path(get, path = "/v1/organization/limits", operation_id = "organization_limits_show", tag = "members",
    responses((status = 200, description = "The limits", body = OrganizationLimitsView), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
) -> Answer<Json<OrganizationLimitsView>> {
    let found = organization_limits::show(&gateway.app, &insider).await?;
    Ok(Json((&found).into()))
}

/// Choose the limits of the organization, all of them at once; `null` is no limit of its own. For admins.
///
/// A value above the operator's ceiling is refused, with the field and the ceiling. What runs when a limit is lowered goes
/// on; nothing further begins. Sessions that rest for a spend limit go on when it is raised.
#[utoipa::path(put, path = "/v1/organization/limits", operation_id = "organization_limits_update", tag = "members",
    request_body = UpdateLimitsRequest,
    responses((status = 200, description = "The limits", body = OrganizationLimitsView), WriteProblems))]
pub(crate) async fn update(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Json(request): Json<UpdateLimitsRequest>,
) -> Answer<Json<OrganizationLimitsView>> {
    let found = organization_limits::update(&gateway.app, &admin, request.into()).await?;
    Ok(Json((&found).into()))
}

/// The limits of any organization. For operators.
#[utoipa::path(get, path = "/v1/organizations/{id}/limits", operation_id = "organization_ceiling_show",
    tag = "operations",
    params(("id" = String, Path, description = "The organization")),
    responses((status = 200, description = "The limits", body = OrganizationLimitsView), ReadProblems))]
pub(crate) async fn show_ceiling(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<FleetAdmin>,
    PathId(id): PathId<OrganizationId>,
) -> Answer<Json<OrganizationLimitsView>> {
    let found = organization_limits::show_ceiling(&gateway.app, &admin, &id).await?;
    Ok(Json((&found).into()))
}

/// Set the ceilings of an organization, all of them at once; `null` is none. For operators.
///
/// What the organization chose stays, and counts where it is smaller.
#[utoipa::path(put, path = "/v1/organizations/{id}/limits", operation_id = "organization_ceiling_update",
    tag = "operations",
    params(("id" = String, Path, description = "The organization")),
    request_body = UpdateLimitsRequest,
    responses((status = 200, description = "The limits", body = OrganizationLimitsView), WriteProblems))]
pub(crate) async fn update_ceiling(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<FleetAdmin>,
    PathId(id): PathId<OrganizationId>,
    Json(request): Json<UpdateLimitsRequest>,
) -> Answer<Json<OrganizationLimitsView>> {
    let settings = request.into();
    let found = organization_limits::set_ceiling(&gateway.app, &admin, &id, settings).await?;
    Ok(Json((&found).into()))
}
