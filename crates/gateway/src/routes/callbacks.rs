//! Tools of a sandbox: its agent calls, the gateway runs them.

use app::{
    access::{Insider, SessionAccess},
    callbacks::{self, CallbackAnswer, CallbackRequest, VERSION_HEADER},
};
use axum::{
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse as _, Response},
};
use domain::{caller::Caller, id::SessionId, limits::CALLBACK_RETRY_AFTER};
use serde_json::{Map, Value};
use store::{ToolInvocation, ToolInvocationState};
use wire::{
    callback::{
        InternalToolFailure, InternalToolRequest, InternalToolResponse, ToolCallbackRequest,
        ToolCallbackResponse, ToolInvocationStatus, ToolInvocationView,
    },
    page::{ListQuery, Page},
};

use super::Answer;
use crate::{
    extract::{Auth, Json, JsonBytes, PathId, PathIds, Query, StrictJson},
    forward::forward_to_owner,
    openapi::{CallbackProblems, ReadProblems},
    state::Gateway,
};

/// Call a tool of the session's mode, once for each `tool_call_id`.
///
/// Waits for the result; after 15 s the response states that the work is under way, and the same call joins
/// it. A repeated call returns the result of the first. A failure of the tool is a result too.
#[utoipa::path(post, path = "/proliferate/{id}/tools/{tool}", operation_id = "tool_callback",
    tag = "callbacks",
    params(("id" = uuid::Uuid, Path, description = "The session"),
        ("tool" = String, Path, description = "A name of the agent's tools", example = "save_snapshot"),
        ("x-proliferate-tool-version" = Option<String>, Header,
            description = "The version that the agent's module was made for")),
    request_body = ToolCallbackRequest,
    responses(
        (status = 200, description = "Done, or failed", body = ToolCallbackResponse),
        (status = 202, description = "Under way: the same call joins it", body = ToolCallbackResponse),
        CallbackProblems))]
pub(crate) async fn call(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathIds(session, tool): PathIds<SessionId, String>,
    headers: HeaderMap,
    StrictJson(request): StrictJson<ToolCallbackRequest>,
) -> Answer<Response> {
    let asked = CallbackRequest {
        tool,
        tool_call_id: request.tool_call_id,
        args: request.args,
        version: agent_version(&headers),
    };
    let (status, success, result, data) =
        match run_callback(&gateway, &caller, session, asked).await? {
            CallbackAnswer::Done { result, data } => (StatusCode::OK, true, result, data),
            CallbackAnswer::Failed { message, .. } => (StatusCode::OK, false, message, None),
            CallbackAnswer::Underway => (StatusCode::ACCEPTED, false, UNDERWAY.to_owned(), None),
        };
    let body = ToolCallbackResponse {
        success,
        result,
        data,
    };
    Ok(with_retry_after(
        status,
        (status, Json(body)).into_response(),
    ))
}

/// The same with the session in the body, and a failure of the tool as a failure of the request.
#[utoipa::path(post, path = "/internal/tools/{tool}", operation_id = "tool_callback_internal",
    tag = "callbacks",
    params(("tool" = String, Path, description = "A name of the agent's tools")),
    request_body = InternalToolRequest,
    responses(
        (status = 200, description = "Done", body = InternalToolResponse),
        (status = 202, description = "Under way: the same call joins it", body = InternalToolFailure),
        (status = 429, description = "The session called the tool too often", body = InternalToolFailure),
        (status = 500, description = "The tool failed", body = InternalToolFailure),
        CallbackProblems))]
pub(crate) async fn call_internal(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    Path(tool): Path<String>,
    headers: HeaderMap,
    parts: Parts,
    JsonBytes(body): JsonBytes,
) -> Answer<Response> {
    let StrictJson(request) = StrictJson::<InternalToolRequest>::read(&body)?;
    let session = SessionId::from_uuid(request.session_id);
    if let Some(answer) = forward_to_owner(&gateway, &caller, session, parts, body).await? {
        return Ok(answer);
    }
    let asked = CallbackRequest {
        tool,
        tool_call_id: request.tool_call_id,
        args: request.params,
        version: agent_version(&headers),
    };
    let (status, failure) = match run_callback(&gateway, &caller, session, asked).await? {
        CallbackAnswer::Done { result, data } => {
            let message = [("message".to_owned(), Value::from(result))];
            let result: Map<_, _> = data.into_iter().flatten().chain(message).collect();
            return Ok(Json(InternalToolResponse { result }).into_response());
        }
        CallbackAnswer::Failed { reason, message } => {
            let error = reason.unwrap_or_else(|| "cancelled".to_owned());
            let status = match error.as_str() {
                callbacks::QUOTA_EXCEEDED => StatusCode::TOO_MANY_REQUESTS,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            };
            (status, InternalToolFailure { error, message })
        }
        CallbackAnswer::Underway => {
            let failure = InternalToolFailure {
                error: "under_way".to_owned(),
                message: UNDERWAY.to_owned(),
            };
            (StatusCode::ACCEPTED, failure)
        }
    };
    Ok(with_retry_after(
        status,
        (status, Json(failure)).into_response(),
    ))
}

/// The calls of a session's tools through this route, newest first.
#[utoipa::path(get, path = "/v1/sessions/{id}/tool-calls", operation_id = "tool_callback_list",
    tag = "callbacks",
    params(("id" = uuid::Uuid, Path, description = "The session"), ListQuery),
    responses((status = 200, description = "A page of calls", body = Page<ToolInvocationView>),
        ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<Page<ToolInvocationView>>> {
    let page = query.page_request()?;
    let access = SessionAccess::of(&gateway.app, &insider, id).await?;
    let page = callbacks::list(&gateway.app, &access, page).await?;
    Ok(Json(Page {
        items: page.items.into_iter().map(view).collect(),
        next_cursor: page.next.map(|id| id.to_string()),
    }))
}

fn view(call: ToolInvocation) -> ToolInvocationView {
    use ToolInvocationState as State;
    let (status, result, error, at) = match call.state {
        State::Executing => (ToolInvocationStatus::Executing, None, None, None),
        State::Completed { result, at } => (
            ToolInvocationStatus::Completed,
            Some(result),
            None,
            Some(at),
        ),
        State::Failed { error, at } => (ToolInvocationStatus::Failed, None, Some(error), Some(at)),
    };
    ToolInvocationView {
        id: call.id.uuid(),
        tool_call_id: call.tool_call_id,
        tool_name: call.tool_name,
        params: call.params,
        status,
        result,
        error,
        created_at: call.created_at.datetime(),
        completed_at: at.map(domain::clock::Timestamp::datetime),
    }
}

/// Where no session is live, no migration runs either.
async fn run_callback(
    gateway: &Gateway,
    caller: &Caller,
    session: SessionId,
    asked: CallbackRequest,
) -> app::Result<CallbackAnswer> {
    let wait = gateway.options.callback_wait;
    match &gateway.hub {
        Some(hub) => {
            hub.registry
                .execute_callback(caller, session, asked, wait)
                .await
        }
        None => callbacks::call(&gateway.app, caller, session, asked, wait).await,
    }
}

const UNDERWAY: &str = "The work is under way; call again with the same id.";

fn agent_version(headers: &HeaderMap) -> Option<String> {
    let version = headers.get(VERSION_HEADER)?;
    // A header that is not text is not a version either.
    Some(version.to_str().unwrap_or("?").to_owned())
}

fn with_retry_after(status: StatusCode, mut response: Response) -> Response {
    if status == StatusCode::ACCEPTED {
        let after = HeaderValue::from(CALLBACK_RETRY_AFTER.as_secs());
        response.headers_mut().insert(header::RETRY_AFTER, after);
    }
    response
}
