//! An agent requests an action.

use app::{
    access::SessionAccess,
    actions::{self, InvocationRequest, InvocationResult},
};
use axum::{extract::State, http::StatusCode};
use domain::{caller::Caller, id::SessionId, limits::RUN_WAIT_MAX};
use wire::action::{ActionStatus, InvokeRequest, InvokeResponse};

use super::view::{invocation_view, status_of};
use crate::{
    extract::{Auth, IdempotencyKey, Json, PathId, StrictJson},
    openapi::InvokeProblems,
    routes::Answer,
    state::Gateway,
};

/// Request an action. A read, and a write that a grant covers, runs at once; another write waits for
/// an approval; danger is denied.
///
/// While it waits, `GET .../invocations/{invocation}` returns its status. With an `Idempotency-Key` a
/// repeated request returns the first one's invocation.
#[utoipa::path(post, path = "/proliferate/{id}/actions/invoke", operation_id = "action_invoke",
    tag = "actions",
    params(("id" = uuid::Uuid, Path, description = "The session"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe")),
    request_body = InvokeRequest,
    responses(
        (status = 200, description = "Done", body = InvokeResponse),
        (status = 202, description = "It waits for an approval, or is still running", body = InvokeResponse),
        (status = 403, description = "Denied; or the caller is not an agent in its sandbox",
            content((InvokeResponse = "application/json"),
                (wire::problem::Problem = "application/problem+json"))),
        (status = 410, description = "The first request under this key was not decided in time",
            body = InvokeResponse),
        (status = 502, description = "The outside service did not perform it", body = InvokeResponse),
        InvokeProblems))]
pub(crate) async fn invoke(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathId(session): PathId<SessionId>,
    IdempotencyKey(key): IdempotencyKey,
    StrictJson(request): StrictJson<InvokeRequest>,
) -> Answer<(StatusCode, Json<InvokeResponse>)> {
    SessionAccess::of_agent(&gateway.app, &caller, session).await?;
    let invoke = InvocationRequest {
        integration: request.integration()?,
        action: request.action()?,
        params: request.params,
        key,
        correlation_id: None,
    };
    let invoked = actions::invoke(&gateway.app, &caller, session, invoke, RUN_WAIT_MAX).await?;
    Ok(answer(invoked))
}

fn answer(invoked: InvocationResult) -> (StatusCode, Json<InvokeResponse>) {
    let invocation = invocation_view(*invoked.record);
    let message = match invocation.status {
        ActionStatus::Pending => Some("Action requires approval"),
        ActionStatus::Approved | ActionStatus::Executing => Some("Action is under way"),
        _ => None,
    };
    let body = InvokeResponse {
        result: invoked.result,
        message: message.map(str::to_owned),
        error: invocation.error.clone(),
        invocation,
    };
    (status_of(body.invocation.status), Json(body))
}
