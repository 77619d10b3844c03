//! Tool calls over HTTP: the entry point of the contract. The body is parsed strictly and by hand, because
//! invalid attempts are recorded too.

use std::time::Duration;

use app::tool_calls::{self, ClaimedActor, ClaimedInput};
use axum::{extract::State, http::StatusCode};
use domain::{
    audit::{CONTRACT_VERSION, Outcome},
    caller::Caller,
    limits::RUN_WAIT_MAX,
    run::{RunError, RunErrorCode},
};
use wire::{
    contract::{
        InputArtifact, ToolCallAnswer, ToolCallError, ToolCallOutcome, ToolCallRequest, WaitQuery,
    },
    problem::Problem,
};

use super::Answer;
use crate::{
    extract::{Auth, IdempotencyKey, Json, Query, SmallBody, StrictJsonError, strict},
    openapi::CallProblems,
    state::Gateway,
};

/// How long a caller waits for a call by default: most tools finish by then.
const WAIT_DEFAULT: Duration = Duration::from_secs(20);
/// The members of a call, for errors that repeat no input of the caller.
const MEMBERS: &[&str] = &[
    "tool_name",
    "operation",
    "lane_id",
    "actor",
    "role_id",
    "case_id",
    "run_id",
    "parent_run_id",
    "correlation_id",
    "input_artifacts",
    "parameters",
    "scope",
    "contract_version",
    "expected_policy_versions",
    "request_hash_sha256",
];

/// Call a tool. Calls that the policy does not allow are denied, and every attempt is recorded.
///
/// A slow call returns `allow` with its run, to be polled with `GET /v1/runs/{id}?wait=`. With an
/// `Idempotency-Key` a repeated call returns the first one's response.
#[utoipa::path(post, path = "/v1/tool-calls", operation_id = "tool_call", tag = "tool-calls",
    params(WaitQuery,
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe")),
    request_body = ToolCallRequest,
    responses(
        (status = 200, description = "Done", body = ToolCallAnswer),
        (status = 202, description = "Allowed and under way", body = ToolCallAnswer),
        (status = 400, description = "Not a call this tool takes; or the query or a header is wrong",
            content((ToolCallAnswer = "application/json"), (Problem = "application/problem+json"))),
        (status = 403, description = "Denied by policy; or the caller may not act here",
            content((ToolCallAnswer = "application/json"), (Problem = "application/problem+json"))),
        (status = 502, description = "The tool failed", body = ToolCallAnswer),
        (status = 503, description = "A dependency of the tool is unavailable; or the gateway is busy",
            content((ToolCallAnswer = "application/json"), (Problem = "application/problem+json"))),
        (status = 504, description = "The tool did not end in time", body = ToolCallAnswer),
        CallProblems))]
pub(crate) async fn call(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    IdempotencyKey(key): IdempotencyKey,
    Query(query): Query<WaitQuery>,
    SmallBody(body): SmallBody,
) -> Answer<(StatusCode, Json<ToolCallAnswer>)> {
    let wait = query
        .wait
        .map_or(WAIT_DEFAULT, Duration::from_secs)
        .min(RUN_WAIT_MAX);
    let answered = match read(&body) {
        Ok(request) => tool_calls::call(&gateway.app, &caller, requested(request, key), wait).await,
        Err(member) => tool_calls::refuse_malformed(&gateway.app, &caller, member).await,
    };
    match answered {
        Ok(answer) => Ok((status(&answer), Json(answer_view(answer)))),
        Err(error) => match unavailable(&error) {
            Some(answer) => Ok((StatusCode::SERVICE_UNAVAILABLE, Json(answer))),
            None => Err(error.into()),
        },
    }
}

/// The call, or the invalid member, where one can be named.
fn read(body: &[u8]) -> Result<ToolCallRequest, Option<&'static str>> {
    let request: ToolCallRequest = strict(body).map_err(|wrong| {
        let StrictJsonError::Member { path, error } = wrong else {
            return None;
        };
        let first = path.split(['.', '[']).next().unwrap_or_default();
        let missing = error.to_string();
        MEMBERS
            .iter()
            .find(|member| **member == first || missing == format!("missing field `{member}`"))
            .copied()
    })?;
    let version = request.contract_version.as_deref();
    if version.is_some_and(|version| version != CONTRACT_VERSION) {
        return Err(Some("contract_version"));
    }
    Ok(request)
}

fn requested(
    request: ToolCallRequest,
    idempotency_key: Option<String>,
) -> tool_calls::ToolCallRequest {
    let input = |input: InputArtifact| ClaimedInput {
        artifact_id: input.artifact_id,
        artifact_kind: input.artifact_kind,
        hash_sha256: input.hash_sha256,
    };
    tool_calls::ToolCallRequest {
        tool_name: request.tool_name,
        operation: request.operation,
        lane_id: request.lane_id,
        actor: request.actor.map(|actor| ClaimedActor {
            actor_type: actor.actor_type,
            actor_id: actor.actor_id,
            agent_name: actor.agent_name,
        }),
        role_id: request.role_id,
        case_id: request.case_id,
        run_id: request.run_id,
        parent_run_id: request.parent_run_id,
        correlation_id: request.correlation_id,
        input_artifacts: request.input_artifacts.into_iter().map(input).collect(),
        parameters: request.parameters,
        scope: request.scope,
        expected_versions: request
            .expected_policy_versions
            .map(|versions| (versions.lanes, versions.roles)),
        request_sha256: request.request_hash_sha256,
        idempotency_key,
    }
}

fn status(answer: &tool_calls::ToolCallAnswer) -> StatusCode {
    match (
        answer.outcome,
        answer.error.as_ref().map(|error| error.code),
    ) {
        (Outcome::Allow, _) => StatusCode::ACCEPTED,
        (_, None) => StatusCode::OK,
        (_, Some(RunErrorCode::PolicyDenied)) => StatusCode::FORBIDDEN,
        (_, Some(RunErrorCode::InvalidRequest)) => StatusCode::BAD_REQUEST,
        (_, Some(RunErrorCode::ToolError)) => StatusCode::BAD_GATEWAY,
        (_, Some(RunErrorCode::ToolTimeout)) => StatusCode::GATEWAY_TIMEOUT,
        (_, Some(RunErrorCode::DependencyDown)) => StatusCode::SERVICE_UNAVAILABLE,
    }
}

pub(super) fn answer_view(answer: tool_calls::ToolCallAnswer) -> ToolCallAnswer {
    ToolCallAnswer {
        outcome: match answer.outcome {
            Outcome::Allow => ToolCallOutcome::Allow,
            Outcome::Deny => ToolCallOutcome::Deny,
            Outcome::Success => ToolCallOutcome::Success,
            Outcome::Failure => ToolCallOutcome::Failure,
        },
        tool_name: answer.tool_name,
        operation: answer.operation.map(|operation| operation.to_string()),
        run_id: answer.run_id.map(domain::id::RunId::uuid),
        correlation_id: answer.correlation_id,
        output_artifacts: answer.outputs.into_iter().map(Into::into).collect(),
        response_hash_sha256: answer.response_sha256,
        outcome_reason: answer.reason,
        error: answer.error.as_ref().map(error_view),
    }
}

pub(super) fn error_view(error: &RunError) -> ToolCallError {
    ToolCallError {
        error_code: error.code.as_str().to_owned(),
        message: error.message.clone(),
        retryable: error.retryable,
    }
}

/// A call that could not be recorded was not made; the response states that in the contract's
/// words.
fn unavailable(error: &app::Error) -> Option<ToolCallAnswer> {
    let message = match error {
        app::Error::Store(store::Error::Unavailable { .. }) => {
            "the database does not answer; the tool was not called"
        }
        app::Error::Overloaded(_) => "too many calls are under way; the tool was not called",
        app::Error::Exceeded(exceeded) if !exceeded.is_own_share() => {
            "too many calls are under way; the tool was not called"
        }
        _ => return None,
    };
    tracing::warn!(%error, "a call was not made");
    Some(ToolCallAnswer {
        outcome: ToolCallOutcome::Failure,
        tool_name: None,
        operation: None,
        run_id: None,
        correlation_id: None,
        output_artifacts: Vec::new(),
        response_hash_sha256: None,
        outcome_reason: Some("dependency_down".to_owned()),
        error: Some(error_view(&RunError::new(
            RunErrorCode::DependencyDown,
            message,
            true,
        ))),
    })
}
