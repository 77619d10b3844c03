//! The caller's organization: its name and state, and its settings for all of its sessions.

use app::{
    access::{Admin, Insider, Owner},
    models::{self, OrganizationBudget},
    organizations,
};
use axum::extract::State;
use wire::{
    model_usage::{OrganizationBudgetView, UpdateOrganizationBudgetRequest},
    organization::{DeleteOrganizationRequest, OrganizationView, UpdateOrganizationRequest},
};

use super::Answer;
use crate::{
    extract::{Auth, AuthInAnyState, Json},
    openapi::{EndProblems, ReadProblems, WriteProblems},
    state::Gateway,
};

/// The caller's organization.
#[utoipa::path(get, path = "/v1/organization", operation_id = "organization_show", tag = "organizations",
    responses((status = 200, description = "The organization", body = OrganizationView), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
) -> Answer<Json<OrganizationView>> {
    let organization = organizations::fetch(&gateway.app, insider.organization_id()).await?;
    Ok(Json(organization.into()))
}

/// Rename the organization. For owners. Its id and its slug stay.
#[utoipa::path(patch, path = "/v1/organization", operation_id = "organization_update", tag = "organizations",
    request_body = UpdateOrganizationRequest,
    responses((status = 200, description = "The organization", body = OrganizationView), WriteProblems))]
pub(crate) async fn update(
    State(gateway): State<Gateway>,
    Auth(owner): Auth<Owner>,
    Json(request): Json<UpdateOrganizationRequest>,
) -> Answer<Json<OrganizationView>> {
    let organization = organizations::rename(&gateway.app, &owner, &request.name).await?;
    Ok(Json(organization.into()))
}

/// Begin to delete the organization. For owners.
///
/// From now on it starts nothing, and its live sessions are saved and paused. For seven days an owner can take that back;
/// afterwards an operator of the installation removes all of its data, and keeps a signed export of its audit log.
#[utoipa::path(post, path = "/v1/organization/deletion", operation_id = "organization_deletion_begin",
    tag = "organizations",
    request_body = DeleteOrganizationRequest,
    responses((status = 200, description = "The organization", body = OrganizationView), WriteProblems))]
pub(crate) async fn deletion_begin(
    State(gateway): State<Gateway>,
    Auth(owner): Auth<Owner>,
    Json(request): Json<DeleteOrganizationRequest>,
) -> Answer<Json<OrganizationView>> {
    let begun = organizations::begin_deletion(&gateway.app, &owner, &request.confirm).await?;
    Ok(Json(begun.into()))
}

/// Take the deletion of the organization back. For owners. It then is what it was before.
#[utoipa::path(delete, path = "/v1/organization/deletion", operation_id = "organization_deletion_cancel",
    tag = "organizations",
    responses((status = 200, description = "The organization", body = OrganizationView), EndProblems))]
pub(crate) async fn deletion_cancel(
    State(gateway): State<Gateway>,
    AuthInAnyState(owner): AuthInAnyState<Owner>,
) -> Answer<Json<OrganizationView>> {
    let organization = organizations::cancel_deletion(&gateway.app, &owner).await?;
    Ok(Json(organization.into()))
}

/// What each session of the organization may spend on its models, where neither it nor its configuration has a budget.
#[utoipa::path(get, path = "/v1/organization/budget", operation_id = "organization_budget_show", tag = "models",
    responses((status = 200, description = "The budget", body = OrganizationBudgetView), ReadProblems))]
pub(crate) async fn budget(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
) -> Answer<Json<OrganizationBudgetView>> {
    let budget = models::organization_budget(&gateway.app, &insider).await?;
    Ok(Json(view(budget)))
}

/// Set what each session of the organization may spend on its models; `null` restores the operator's setting. For
/// admins.
///
/// Applies to existing sessions, from their next request on. Sessions that were paused for the budget and may continue
/// are resumed, with their waiting prompts.
#[utoipa::path(put, path = "/v1/organization/budget", operation_id = "organization_budget_update", tag = "models",
    request_body = UpdateOrganizationBudgetRequest,
    responses((status = 200, description = "The budget", body = OrganizationBudgetView), WriteProblems))]
pub(crate) async fn budget_update(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Json(request): Json<UpdateOrganizationBudgetRequest>,
) -> Answer<Json<OrganizationBudgetView>> {
    let limit = request.budget_micro_usd;
    let budget = models::set_organization_budget(&gateway.app, &admin, limit).await?;
    Ok(Json(view(budget)))
}

fn view(budget: OrganizationBudget) -> OrganizationBudgetView {
    OrganizationBudgetView {
        budget_micro_usd: budget.own_micro_usd,
        in_force_micro_usd: budget.in_force.limit(),
    }
}
