//! Settings of the organization for all of its sessions.

use app::{
    access::{Admin, Insider},
    models::{self, OrganizationBudget},
};
use axum::extract::State;
use wire::model_usage::{OrganizationBudgetView, UpdateOrganizationBudgetRequest};

use super::Answer;
use crate::{
    extract::{Auth, Json},
    openapi::{ReadProblems, WriteProblems},
    state::Gateway,
};

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
