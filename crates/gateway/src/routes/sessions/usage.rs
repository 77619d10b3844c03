//! A session's model usage and budget.

use app::{
    access::{Admin, Insider, SessionAccess},
    models::{self, SessionUsage},
};
use axum::extract::State;
use domain::id::SessionId;
use wire::model_usage::{ModelUsageOf, SessionUsageView, UpdateSessionBudgetRequest};

use crate::{
    extract::{Auth, Json, PathId},
    openapi::{ReadProblems, WriteProblems},
    routes::Answer,
    state::Gateway,
};

/// A session's model usage: tokens, their cost, and its budget.
#[utoipa::path(get, path = "/v1/sessions/{id}/usage", operation_id = "session_usage", tag = "models",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 200, description = "The usage", body = SessionUsageView), ReadProblems))]
pub(crate) async fn usage(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
) -> Answer<Json<SessionUsageView>> {
    let access = SessionAccess::of(&gateway.app, &insider, id).await?;
    let usage = models::usage(&gateway.app, &access).await?;
    Ok(Json(view(usage)))
}

/// Set a session's own model budget; `null` removes the limit. Takes effect with its next request.
#[utoipa::path(put, path = "/v1/sessions/{id}/budget", operation_id = "session_budget_update", tag = "models",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    request_body = UpdateSessionBudgetRequest,
    responses((status = 200, description = "The usage and the budget", body = SessionUsageView), WriteProblems))]
pub(crate) async fn budget_update(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<SessionId>,
    Json(request): Json<UpdateSessionBudgetRequest>,
) -> Answer<Json<SessionUsageView>> {
    let usage = models::set_budget(&gateway.app, &admin, id, request.budget()).await?;
    if let Some(hub) = &gateway.hub {
        let access = SessionAccess::of(&gateway.app, &admin, id).await?;
        hub.fleet.apply_budget_change(&access).await?;
    }
    Ok(Json(view(usage)))
}

fn view(usage: SessionUsage) -> SessionUsageView {
    let over_budget = usage.is_over_budget();
    let models = usage.models.into_iter().map(|one| ModelUsageOf {
        model_id: one.model,
        usage: one.usage.into(),
    });
    SessionUsageView {
        session_id: usage.session_id.uuid(),
        total: usage.total.into(),
        models: models.collect(),
        budget_micro_usd: usage.budget.limit(),
        has_own_budget: usage.has_own_budget,
        over_budget,
    }
}
