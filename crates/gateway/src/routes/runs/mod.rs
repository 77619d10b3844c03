//! Runs over HTTP.

mod view;

use std::time::Duration;

use app::{
    Error, mediation,
    runs::{self, NewParentRun},
};
use axum::{extract::State, http::StatusCode};
use domain::{
    Invalid,
    audit::SafeText,
    caller::Caller,
    id::{RunId, SessionId},
    limits::RUN_WAIT_MAX,
    policy::CaseId,
    run::RunKind,
};
use wire::{
    contract::{CreateRunRequest, EndRunRequest, RunEndStatus, RunView, WaitQuery},
    page::{ListQuery, Page},
};

use self::view::{run_view, short_view};
use super::Answer;
use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::{EndProblems, ReadProblems, WriteProblems},
    state::Gateway,
};

/// Open a run that tool calls can belong to, or create the run of one call in advance. It is pinned to
/// the policy in force.
#[utoipa::path(post, path = "/v1/runs", operation_id = "run_create", tag = "tool-calls",
    request_body = CreateRunRequest,
    responses((status = 201, description = "The run", body = RunView), WriteProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    Json(request): Json<CreateRunRequest>,
) -> Answer<(StatusCode, Json<RunView>)> {
    let app = &gateway.app;
    let kind: RunKind = request
        .run_kind
        .parse()
        .map_err(|_| Invalid::new("run_kind", "must be agent, orchestrator or tool_gateway"))?;
    let run = if kind == RunKind::ToolGateway {
        let parent = request.parent_run_id.map(RunId::from_uuid);
        let missing = || Invalid::new("parent_run_id", "is needed for the run of a call");
        runs::prepare(app, &caller, parent.ok_or_else(missing)?).await?
    } else {
        if request.parent_run_id.is_some() {
            let message = "is only valid for the run of a call";
            return Err(Invalid::new("parent_run_id", message).into());
        }
        let case_id = request.case_id.map(CaseId::new).transpose();
        let case_id = case_id.map_err(|error| Invalid::new("case_id", error.to_string()))?;
        let correlation_id = request.correlation_id;
        let correlation_id = correlation_id
            .map(|id| SafeText::new("correlation_id", id))
            .transpose()?;
        let parent = NewParentRun {
            kind,
            case_id,
            session_id: request.session_id.map(SessionId::from_uuid),
            correlation_id,
        };
        runs::open_parent(app, &caller, parent).await?
    };
    Ok((StatusCode::CREATED, Json(run_view(app, &run).await?)))
}

/// The status of a run; with `wait`, its end, if it ends in time.
#[utoipa::path(get, path = "/v1/runs/{id}", operation_id = "run_show", tag = "tool-calls",
    params(("id" = uuid::Uuid, Path, description = "The run's id"), WaitQuery),
    responses((status = 200, description = "The run", body = RunView), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathId(id): PathId<RunId>,
    Query(query): Query<WaitQuery>,
) -> Answer<Json<RunView>> {
    let app = &gateway.app;
    let mut run = runs::fetch(app, &caller, id).await?;
    let wait = Duration::from_secs(query.wait.unwrap_or(0)).min(RUN_WAIT_MAX);
    if !wait.is_zero() && !run.state.is_terminal() {
        let ended = mediation::wait_for(app, &run.organization_id, id, wait).await?;
        run = ended.ok_or(Error::NotFound("run"))?;
    }
    Ok(Json(run_view(app, &run).await?))
}

/// The runs below a run, newest first.
#[utoipa::path(get, path = "/v1/runs/{id}/children", operation_id = "run_list_children",
    tag = "tool-calls",
    params(("id" = uuid::Uuid, Path, description = "The run's id"), ListQuery),
    responses((status = 200, description = "A page of runs", body = Page<RunView>), ReadProblems))]
pub(crate) async fn children(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathId(id): PathId<RunId>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<Page<RunView>>> {
    let request = query.page_request()?;
    let page = runs::list_children(&gateway.app, &caller, id, request).await?;
    Ok(Json(Page {
        items: page.items.iter().map(short_view).collect(),
        next_cursor: page.next.map(|id| id.to_string()),
    }))
}

/// Stop a run. Its effects are not undone.
#[utoipa::path(post, path = "/v1/runs/{id}/cancel", operation_id = "run_cancel", tag = "tool-calls",
    params(("id" = uuid::Uuid, Path, description = "The run's id")),
    responses((status = 200, description = "The run as it is now", body = RunView), EndProblems))]
pub(crate) async fn cancel(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathId(id): PathId<RunId>,
) -> Answer<Json<RunView>> {
    let run = runs::cancel(&gateway.app, &caller, id).await?;
    Ok(Json(run_view(&gateway.app, &run).await?))
}

/// End a run that was opened: no call can belong to it afterwards.
#[utoipa::path(post, path = "/v1/runs/{id}/end", operation_id = "run_end", tag = "tool-calls",
    params(("id" = uuid::Uuid, Path, description = "The run's id")),
    request_body = EndRunRequest,
    responses((status = 200, description = "The run as it is now", body = RunView), WriteProblems))]
pub(crate) async fn end(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathId(id): PathId<RunId>,
    Json(request): Json<EndRunRequest>,
) -> Answer<Json<RunView>> {
    let succeeded = request.status == RunEndStatus::Completed;
    let run = runs::end_parent(&gateway.app, &caller, id, succeeded).await?;
    Ok(Json(run_view(&gateway.app, &run).await?))
}
