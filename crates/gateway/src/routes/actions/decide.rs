//! An approver decides.

use app::actions::{self, ActionApproval, ActionDenial};
use axum::{extract::State, http::StatusCode};
use domain::{
    caller::Caller,
    id::{InvocationId, SessionId},
    limits::RUN_WAIT_MAX,
};
use wire::action::{ApproveRequest, ApproveResponse, DenyRequest, InvocationResponse};

use super::view::{invocation_view, status_of};
use crate::{
    extract::{Auth, Json, PathIds},
    openapi::DecideProblems,
    routes::Answer,
    state::Gateway,
};

/// Approve the call that the approver saw, and run it: `callSha256` identifies it. With `mode` `grant` a grant for more
/// calls of the same action is created in the same step. For admins and owners.
///
/// If the call, the tool or the policy changed since the request, it waits again: 202.
#[utoipa::path(post, path = "/proliferate/{id}/actions/invocations/{invocation}/approve",
    operation_id = "action_approve", tag = "actions",
    params(("id" = uuid::Uuid, Path, description = "The session"),
        ("invocation" = uuid::Uuid, Path, description = "The invocation")),
    request_body = ApproveRequest,
    responses(
        (status = 200, description = "Done", body = ApproveResponse),
        (status = 202, description = "It is still running, or has to be approved once more",
            body = ApproveResponse),
        (status = 403, description = "The policy denies it by now; or the caller may not decide",
            content((ApproveResponse = "application/json"),
                (wire::problem::Problem = "application/problem+json"))),
        (status = 502, description = "The outside service did not perform it", body = ApproveResponse),
        DecideProblems))]
pub(crate) async fn approve(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathIds(session, id): PathIds<SessionId, InvocationId>,
    Json(request): Json<ApproveRequest>,
) -> Answer<(StatusCode, Json<ApproveResponse>)> {
    let approve = ActionApproval {
        grant: request.grant()?,
        call_sha256: request.call_sha256()?,
    };
    let app = &gateway.app;
    let approved = actions::approve(app, &caller, Some(session), id, approve, RUN_WAIT_MAX).await?;
    let body = ApproveResponse {
        invocation: invocation_view(*approved.record),
        result: approved.result,
        grant: approved.grant.as_ref().map(Into::into),
    };
    Ok((status_of(body.invocation.status), Json(body)))
}

/// Deny a pending invocation. For admins and owners.
#[utoipa::path(post, path = "/proliferate/{id}/actions/invocations/{invocation}/deny",
    operation_id = "action_deny", tag = "actions",
    params(("id" = uuid::Uuid, Path, description = "The session"),
        ("invocation" = uuid::Uuid, Path, description = "The invocation")),
    request_body = DenyRequest,
    responses((status = 200, description = "Denied", body = InvocationResponse), DecideProblems))]
pub(crate) async fn deny(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathIds(session, id): PathIds<SessionId, InvocationId>,
    Json(request): Json<DenyRequest>,
) -> Answer<Json<InvocationResponse>> {
    let deny = ActionDenial {
        call_sha256: request.call_sha256()?,
        reason: request.reason,
    };
    let record = actions::deny(&gateway.app, &caller, Some(session), id, deny).await?;
    Ok(Json(InvocationResponse {
        invocation: invocation_view(record),
    }))
}
