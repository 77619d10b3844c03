//! A tool of a sandbox as a mediated call: the agent's module asks, the gateway does it, and what the agent is
//! told is kept, so that whoever asks again is told the same.

use std::time::Duration;

use agent::tool::Tool;
use domain::{
    action::redact::{self, Fingerprints},
    clock::Timestamp,
    id::{OrganizationId, RunId, SessionId},
    limits::{
        ACTION_RECORD_BYTES_MAX, CALLBACK_QUOTA, CALLBACK_QUOTA_WINDOW, CALLBACK_VERIFY_QUOTA,
    },
    policy::{InvalidName, LaneId, Operation, Principal},
    run::{Run, RunError, RunErrorCode, RunState},
};
use serde_json::{Map, Value};
use store::{NewToolInvocation, ToolInvocationEnd, Tx};

use super::{
    answer,
    ask::Added,
    attempt::{InSession, Request},
    commit::Begun,
    ended_run,
};
use crate::{
    context::App,
    error::{Error, Result},
};

/// The word for a call that is refused because the session made too many.
pub const QUOTA: &str = "quota_exceeded";

/// What an agent's tool asks for.
#[derive(Debug)]
pub(crate) struct CallBack {
    pub(crate) organization_id: OrganizationId,
    pub(crate) principal: Principal,
    pub(crate) session_id: SessionId,
    /// The lane of the session's mode.
    pub(crate) lane: &'static str,
    pub(crate) callback: Callback,
    pub(crate) parameters: Map<String, Value>,
}

/// What it brings along to be written down.
#[derive(Debug)]
pub(crate) struct Callback {
    pub(crate) tool: Tool,
    pub(crate) tool_call_id: String,
}

/// Does it if it may be done, and returns the run as it stands after `wait` at the latest.
pub(crate) async fn call_back(app: &App, call: CallBack, wait: Duration) -> Result<Run> {
    let wrong = |_: InvalidName| Error::Forbidden("the policy has no lane for this session");
    let tool = call.callback.tool;
    let request = InSession {
        organization_id: call.organization_id,
        principal: call.principal,
        session_id: call.session_id,
        tool_name: tool.as_str().to_owned(),
        target: tool.as_str().to_owned(),
        operation: Operation::new(tool.as_str()).map_err(wrong)?,
        lane_id: LaneId::new(call.lane).map_err(wrong)?,
        run_id: None,
        parameters: call.parameters,
        // Apart from the keys that the agent chooses for other calls.
        key: Some(format!("tool:{}", call.callback.tool_call_id)),
        correlation_id: None,
    };
    let request = Request {
        callback: Some(Box::new(call.callback)),
        ..request.request(app)
    };
    match ended_run(app, request, wait).await? {
        Begun::Repeated(run) | Begun::Denied(run, _) => Ok(*run),
        Begun::KeyConflict => Err(Error::IdempotencyConflict),
        Begun::Permitted(_) | Begun::Held(_) => Err(Error::Busy("the call was not made")),
    }
}

/// How often a session may call a tool within the window. How often a run may be completed is the run's own
/// matter: the same completion told twice is one.
const fn quota(tool: Tool) -> u32 {
    match tool {
        Tool::Verify => CALLBACK_VERIFY_QUOTA,
        Tool::SaveSnapshot
        | Tool::SaveServiceCommands
        | Tool::SaveEnvFiles
        | Tool::AutomationComplete
        | Tool::RequestEnvVariables => CALLBACK_QUOTA,
    }
}

/// Why a call is one too many, if it is. Counted with what this batch adds, which no table has yet.
pub(super) async fn over_quota(
    tx: &mut Tx,
    request: &Request,
    callback: &Callback,
    now: Timestamp,
    added: &mut Added,
) -> Result<Option<(&'static str, RunError)>> {
    let session_id = request.session_id.ok_or(Error::NotFound("session"))?;
    let (organization_id, tool) = (&request.organization_id, callback.tool);
    let since = now.minus(CALLBACK_QUOTA_WINDOW);
    let made = tx
        .tool_invocation_count(organization_id, session_id, tool.as_str(), since)
        .await?;
    let of_batch = added.calls.entry((session_id, tool)).or_default();
    let made = u32::try_from(made).unwrap_or(u32::MAX);
    if made.saturating_add(*of_batch) < quota(tool) {
        *of_batch += 1;
        return Ok(None);
    }
    let message = format!(
        "{tool} may be called {} times an hour in a session; go on without it for now",
        quota(tool)
    );
    let error = RunError::new(RunErrorCode::PolicyDenied, &message, false);
    Ok(Some((QUOTA, error)))
}

/// What is written down of a call that begins.
pub(super) fn begun(
    request: &Request,
    callback: &Callback,
    run: &Run,
) -> Option<NewToolInvocation> {
    let params = Value::Object(request.parameters.clone());
    let shown = redact::redact(&params, &Fingerprints::default());
    Some(NewToolInvocation {
        id: run.id,
        organization_id: run.organization_id.clone(),
        session_id: run.session_id?,
        tool_call_id: callback.tool_call_id.clone(),
        tool_name: callback.tool.as_str().to_owned(),
        params: shown.preview(ACTION_RECORD_BYTES_MAX).value,
        created_at: run.created_at,
    })
}

/// What is written down of its end: what the agent is told, as people see it, or why it failed.
pub(super) fn ended(
    id: RunId,
    told: Option<&Value>,
    state: &RunState,
    at: Timestamp,
) -> ToolInvocationEnd {
    let (_, error) = answer::outcome(state);
    let shown = || {
        let shown = redact::redact(told.unwrap_or(&Value::Null), &Fingerprints::default());
        shown.preview(ACTION_RECORD_BYTES_MAX).value
    };
    let outcome = error.map_or_else(|| Ok(shown()), |error| Err(error.message));
    ToolInvocationEnd { id, outcome, at }
}
