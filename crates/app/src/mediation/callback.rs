//! A tool of a sandbox as a mediated call: the agent's module asks, the gateway does it, and what the agent is
//! told is kept, so that whoever asks again is told the same. What git pushes from there goes the same way.

use std::{sync::Arc, time::Duration};

use agent::tool::Tool;
use domain::{
    action::redact::{self, Fingerprints},
    clock::Timestamp,
    id::{OrganizationId, RunId, SessionId},
    limits::{
        ACTION_RECORD_BYTES_MAX, CALLBACK_PUSH_QUOTA, CALLBACK_QUOTA, CALLBACK_QUOTA_WINDOW,
        CALLBACK_VERIFY_QUOTA,
    },
    policy::{InvalidName, LaneId, Operation, Principal},
    run::{Run, RunError, RunErrorCode, RunState},
};
use serde_json::{Map, Value};
use store::{NewToolInvocation, ToolInvocationEnd, Tx};
use tools::Executor;

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
/// The word for one that what it is asked of does not take.
const NOT_TAKEN: &str = "not_taken";
/// What policy calls a push.
const PUSH: &str = "git.push";

/// What is asked for in a sandbox.
#[derive(Debug)]
pub(crate) struct CallBack {
    pub(crate) organization_id: OrganizationId,
    pub(crate) principal: Principal,
    pub(crate) session_id: SessionId,
    pub(crate) lane: &'static str,
    pub(crate) callback: Callback,
    pub(crate) parameters: Map<String, Value>,
}

/// What it brings along to be written down.
#[derive(Debug)]
pub(crate) struct Callback {
    pub(crate) errand: Errand,
    pub(crate) tool_call_id: String,
}

#[derive(Debug)]
pub(crate) enum Errand {
    /// The agent's module asks.
    Tool(Tool),
    /// Git asks.
    Push {
        /// Why the repository does not take it, in a sentence for whoever pushed.
        refused: Option<&'static str>,
        /// It brings along who makes it: a push is a stream, and nobody can find it in a table.
        by: Arc<dyn Executor>,
    },
}

impl Errand {
    fn operation(&self) -> &'static str {
        match self {
            Self::Tool(tool) => tool.as_str(),
            Self::Push { .. } => PUSH,
        }
    }

    /// Who does it, where it brings somebody.
    pub(super) fn executor(&self) -> Option<Arc<dyn Executor>> {
        match self {
            Self::Tool(_) => None,
            Self::Push { by, .. } => Some(Arc::clone(by)),
        }
    }

    /// How often a session may ask for it within the window. How often a run may be completed is the run's own
    /// matter: the same completion told twice is one.
    const fn quota(&self) -> u32 {
        match self {
            Self::Push { .. } => CALLBACK_PUSH_QUOTA,
            Self::Tool(Tool::Verify) => CALLBACK_VERIFY_QUOTA,
            Self::Tool(
                Tool::SaveSnapshot
                | Tool::SaveServiceCommands
                | Tool::SaveEnvFiles
                | Tool::AutomationComplete
                | Tool::RequestEnvVariables,
            ) => CALLBACK_QUOTA,
        }
    }
}

/// Whether it can be asked for in a sandbox alone, and there by its own way.
pub(super) fn is_of_sandbox(operation: &str) -> bool {
    operation == PUSH || Tool::find(operation).is_some()
}

/// Does it if it may be done, and returns the run as it stands after `wait` at the latest.
pub(crate) async fn call_back(app: &App, call: CallBack, wait: Duration) -> Result<Run> {
    let wrong = |_: InvalidName| Error::Forbidden("the policy has no lane for this session");
    let operation = call.callback.errand.operation();
    let request = InSession {
        organization_id: call.organization_id,
        principal: call.principal,
        session_id: call.session_id,
        tool_name: operation.to_owned(),
        target: operation.to_owned(),
        operation: Operation::new(operation).map_err(wrong)?,
        lane_id: LaneId::new(call.lane).map_err(wrong)?,
        run_id: None,
        parameters: call.parameters,
        // Apart from the keys that the agent chooses for other calls.
        key: Some(format!("tool:{}", call.callback.tool_call_id)),
        correlation_id: None,
    };
    let request = Request {
        callback: Some(Box::new(call.callback)),
        ..request.request(app)?
    };
    match ended_run(app, request, wait).await? {
        Begun::Repeated(run) | Begun::Denied(run, _) => Ok(*run),
        Begun::KeyConflict => Err(Error::IdempotencyConflict.recorded()),
        Begun::Permitted(_) | Begun::Held(_) => Err(Error::Internal("a callback did not end")),
    }
}

/// Why a call that the policy lets in is not made, if it is not: what it is asked of does not take it, or it is one
/// too many. Counted with what this batch adds, which no table has yet.
pub(super) async fn refused(
    tx: &mut Tx,
    request: &Request,
    callback: &Callback,
    now: Timestamp,
    added: &mut Added,
) -> Result<Option<(&'static str, RunError)>> {
    let session_id = request.session_id.ok_or(Error::NotFound("session"))?;
    let (organization_id, errand) = (&request.organization_id, &callback.errand);
    let denied = |reason, message: &str| {
        let error = RunError::new(RunErrorCode::PolicyDenied, message, false);
        Ok(Some((reason, error)))
    };
    if let Errand::Push {
        refused: Some(why), ..
    } = errand
    {
        return denied(NOT_TAKEN, why);
    }
    let (operation, quota) = (errand.operation(), errand.quota());
    let since = now.minus(CALLBACK_QUOTA_WINDOW);
    let made = tx
        .tool_invocation_count(organization_id, session_id, operation, since)
        .await?;
    let of_batch = added.calls.entry((session_id, operation)).or_default();
    let made = u32::try_from(made).unwrap_or(u32::MAX);
    if made.saturating_add(*of_batch) < quota {
        *of_batch += 1;
        return Ok(None);
    }
    let message = format!(
        "{operation} may be called {quota} times an hour in a session; go on without it for now"
    );
    denied(QUOTA, &message)
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
        tool_name: callback.errand.operation().to_owned(),
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
