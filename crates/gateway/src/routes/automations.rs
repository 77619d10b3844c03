//! Automations and their runs over HTTP.

use app::{access::Insider, automations};
use axum::{extract::State, http::StatusCode};
use domain::id::{AutomationId, AutomationRunId};
use wire::{
    automation::{
        AutomationRunView, AutomationView, CreateAutomationRequest, UpdateAutomationRequest,
    },
    page::{ListQuery, Page},
};

use super::Answer;
use crate::{
    extract::{Auth, IdempotencyKey, Json, PathId, Query},
    openapi::{EndProblems, ReadProblems, StartRunProblems, WriteProblems},
    state::Gateway,
};

/// The organization's automations, newest first.
#[utoipa::path(get, path = "/v1/automations", operation_id = "automation_list", tag = "automations",
    params(ListQuery),
    responses((status = 200, description = "A page of automations", body = Page<AutomationView>), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<Page<AutomationView>>> {
    let page = automations::list(&gateway.app, &insider, query.page_request()?).await?;
    Ok(Json(Page::from_domain(page)))
}

/// Add an automation.
#[utoipa::path(post, path = "/v1/automations", operation_id = "automation_create", tag = "automations",
    request_body = CreateAutomationRequest,
    responses((status = 201, description = "The automation", body = AutomationView), WriteProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Json(request): Json<CreateAutomationRequest>,
) -> Answer<(StatusCode, Json<AutomationView>)> {
    let automation = automations::create(&gateway.app, &insider, request.draft()?).await?;
    Ok((StatusCode::CREATED, Json(automation.into())))
}

/// An automation.
#[utoipa::path(get, path = "/v1/automations/{id}", operation_id = "automation_show", tag = "automations",
    params(("id" = uuid::Uuid, Path, description = "The automation")),
    responses((status = 200, description = "The automation", body = AutomationView), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<AutomationId>,
) -> Answer<Json<AutomationView>> {
    let automation = automations::fetch(&gateway.app, &insider, id).await?;
    Ok(Json(automation.into()))
}

/// Change an automation. Runs under way keep their settings.
#[utoipa::path(patch, path = "/v1/automations/{id}", operation_id = "automation_update", tag = "automations",
    params(("id" = uuid::Uuid, Path, description = "The automation")),
    request_body = UpdateAutomationRequest,
    responses((status = 200, description = "The automation as it is now", body = AutomationView), WriteProblems))]
pub(crate) async fn update(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<AutomationId>,
    Json(request): Json<UpdateAutomationRequest>,
) -> Answer<Json<AutomationView>> {
    let change = request.read()?;
    let changed = automations::update(&gateway.app, &insider, id, |draft| change.apply_to(draft));
    Ok(Json(changed.await?.into()))
}

/// Delete an automation with the record of its runs, unless one is under way. Their sessions stay.
#[utoipa::path(delete, path = "/v1/automations/{id}", operation_id = "automation_delete", tag = "automations",
    params(("id" = uuid::Uuid, Path, description = "The automation")),
    responses((status = 204, description = "It is gone"), EndProblems))]
pub(crate) async fn delete(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<AutomationId>,
) -> Answer<StatusCode> {
    automations::delete(&gateway.app, &insider, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Start a run: a session of its own whose first prompt is the automation's instructions.
///
/// Responds when its sandbox is ready. With an `Idempotency-Key`, a repeated request returns 200 with the run it
/// started before.
#[utoipa::path(post, path = "/v1/automations/{id}/runs", operation_id = "automation_run_create",
    tag = "automations",
    params(("id" = uuid::Uuid, Path, description = "The automation"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe", max_length = 200)),
    responses(
        (status = 201, description = "The run", body = AutomationRunView),
        (status = 200, description = "The same request had started it before", body = AutomationRunView),
        StartRunProblems))]
pub(crate) async fn start(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<AutomationId>,
    IdempotencyKey(key): IdempotencyKey,
) -> Answer<(StatusCode, Json<AutomationRunView>)> {
    let started = automations::start(&gateway.app, &insider, id, key).await?;
    let status = if started.already_existed {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    };
    Ok((status, Json(started.run.into())))
}

/// The runs of an automation, newest first.
#[utoipa::path(get, path = "/v1/automations/{id}/runs", operation_id = "automation_run_list",
    tag = "automations",
    params(("id" = uuid::Uuid, Path, description = "The automation"), ListQuery),
    responses((status = 200, description = "A page of runs", body = Page<AutomationRunView>), ReadProblems))]
pub(crate) async fn runs(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<AutomationId>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<Page<AutomationRunView>>> {
    let page = automations::runs(&gateway.app, &insider, id, query.page_request()?).await?;
    Ok(Json(Page::from_domain(page)))
}

/// A run of an automation.
#[utoipa::path(get, path = "/v1/automation-runs/{id}", operation_id = "automation_run_show",
    tag = "automations", params(("id" = uuid::Uuid, Path, description = "The run")),
    responses((status = 200, description = "The run", body = AutomationRunView), ReadProblems))]
pub(crate) async fn show_run(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<AutomationRunId>,
) -> Answer<Json<AutomationRunView>> {
    let run = automations::fetch_run(&gateway.app, &insider, id).await?;
    Ok(Json(run.into()))
}
