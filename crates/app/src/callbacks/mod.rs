//! Blocking callbacks: tools of the agent that the gateway executes while the agent waits. The answer is kept, so that
//! a repeated call gets the same.

use std::time::Duration;

use agent::{
    Mode,
    tool::{self, Tool},
};
use domain::{
    Invalid,
    artifact::TOOL_ANSWER,
    caller::Caller,
    canonical,
    id::{RunId, SessionId},
    limits::{CALLBACK_QUOTA, CALLBACK_VERIFY_QUOTA, TOOL_CALL_ID_LENGTH_MAX},
    page::{Page, PageRequest},
    policy::{InvalidName, LaneId, Operation},
    run::{Run, RunErrorCode, RunState},
};
use serde_json::{Map, Value};
use store::ToolInvocation;

use crate::{
    access::SessionAccess,
    builtin,
    context::App,
    error::{Error, Result},
    mediation::{
        self, CONFLICT,
        call::{CallKind, MediatedCall, SessionTool, checked_key},
        identify::CallerIdentity,
        malformed::MalformedCall,
    },
    tool_calls::answer_of,
};

pub use agent::tool::VERSION_HEADER;

pub use crate::mediation::QUOTA_EXCEEDED;

/// A callback as the agent's module requests it. None of it is trusted.
#[derive(Debug)]
pub struct CallbackRequest {
    /// The tool, by either of its names.
    pub tool: String,
    /// The id that the model gave the call: the same for every try of it.
    pub tool_call_id: String,
    pub args: Map<String, Value>,
    /// The version of the tool that the module was written for.
    pub version: Option<String>,
}

/// The answer to the agent.
#[derive(Debug, Clone, PartialEq)]
pub enum CallbackAnswer {
    Done {
        result: String,
        data: Option<Map<String, Value>>,
    },
    /// The tool failed, or may not be called now.
    Failed {
        reason: Option<String>,
        message: String,
    },
    /// The call takes longer than a connection is kept open: repeating it joins it.
    Underway,
}

/// Executes the tool, once for each tool call id.
pub async fn call(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    request: CallbackRequest,
    wait: Duration,
) -> Result<CallbackAnswer> {
    let access = SessionAccess::of_agent(app, caller, session_id).await?;
    let organization_id = access.organization_id();
    let tool = Tool::find(&request.tool).filter(|tool| tool.spec().host == tool::ToolHost::Gateway);
    let tool = tool.ok_or(Error::NotFound("tool"))?;
    if let Err(outdated) = tool.check_version(request.version.as_deref()) {
        return Err(Error::Conflict(outdated.to_string()));
    }
    if let Err(invalid) = check(&request) {
        MalformedCall::shapeless(None).record(app, caller).await?;
        return Err(Error::from(invalid).recorded());
    }
    let session = {
        let mut conn = app.db.read().await?;
        store::session_fetch(&mut conn, organization_id, session_id).await?
    };
    let session = session.ok_or(Error::NotFound("session"))?;
    let wrong = |_: InvalidName| Error::Forbidden("the policy has no lane for this session");
    let operation = Operation::new(tool.as_str()).map_err(wrong)?;
    let lane = Mode::of(session.session_type, session.client_type).lane();
    let lane_id = LaneId::new(lane).map_err(wrong)?;
    // Apart from the keys that the agent chooses for other calls.
    let key = format!("tool:{}", request.tool_call_id);
    let key = checked_key(Some(key)).map_err(|why| Invalid::new("Idempotency-Key", why))?;
    let kind = CallKind::Callback(SessionTool {
        tool_call_id: request.tool_call_id,
        quota: quota(tool),
        rejection: None,
    });
    let identity = CallerIdentity::of(caller)?;
    let run_id = RunId::generate(app.now(), &*app.entropy);
    let executor = builtin::executor_of(app, &operation);
    let mut call = MediatedCall::in_session(
        kind,
        identity,
        session_id,
        lane_id,
        operation,
        request.args,
        run_id,
    );
    call.idempotency_key = key;
    call.executor = executor;
    let outcome = mediation::run(app, call, wait).await?;
    callback_answer(app, &outcome.run).await
}

/// How often a session may call the tool within the window. How often a run may be completed is the run's own matter:
/// the same completion twice is one.
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

fn check(request: &CallbackRequest) -> std::result::Result<(), Invalid> {
    let id = &request.tool_call_id;
    if id.is_empty()
        || id.len() > TOOL_CALL_ID_LENGTH_MAX
        || !id.bytes().all(|b| b.is_ascii_graphic())
    {
        let message = format!("must have 1 to {TOOL_CALL_ID_LENGTH_MAX} visible ASCII characters");
        return Err(Invalid::new("tool_call_id", message));
    }
    let args = Value::Object(request.args.clone());
    match tool::validate(&request.tool, &args) {
        Ok(_) => Ok(()),
        Err(invalid) if invalid.field == "args" => Err(invalid),
        Err(invalid) => Err(invalid.within("args")),
    }
}

/// The answer that a run is to its agent.
async fn callback_answer(app: &App, run: &Run) -> Result<CallbackAnswer> {
    let error = match &run.state {
        RunState::Created | RunState::Running { .. } => return Ok(CallbackAnswer::Underway),
        RunState::Completed { .. } => return kept_answer(app, run).await,
        RunState::Denied { .. } if run.reason.as_deref() != Some(QUOTA_EXCEEDED) => {
            let message = "the policy does not allow this tool in this session";
            return Err(Error::Forbidden(message).recorded());
        }
        RunState::Denied { error, .. } | RunState::Failed { error, .. } => Some(error),
        RunState::Cancelled { .. } => None,
    };
    if let Some(error) = error.filter(|error| error.code == RunErrorCode::InvalidRequest) {
        if run.reason.as_deref() == Some(CONFLICT) {
            return Err(Error::Conflict(error.message.clone()).recorded());
        }
        return Err(Error::from(Invalid::new("args", error.message.clone())).recorded());
    }
    let message = error.map_or("the call was cancelled", |error| error.message.as_str());
    Ok(CallbackAnswer::Failed {
        reason: run.reason.clone(),
        message: message.to_owned(),
    })
}

/// The answer that was kept when it was made.
async fn kept_answer(app: &App, run: &Run) -> Result<CallbackAnswer> {
    let outputs = answer_of(app, run).await?.outputs;
    let kept = outputs
        .iter()
        .find(|output| output.kind.as_str() == TOOL_ANSWER);
    let kept = kept.ok_or(Error::NotFound("answer"))?;
    let scope = blobs::Scope::new(&run.organization_id, &kept.scope);
    let content = app.blobs.get(&scope, &kept.sha256, kept.byte_size).await?;
    let Ok(Value::Object(mut answer)) = canonical::parse(&content.into_bytes().await?) else {
        return Err(Error::NotFound("answer"));
    };
    let text = |value: Option<Value>| value.and_then(|value| value.as_str().map(str::to_owned));
    Ok(CallbackAnswer::Done {
        result: text(answer.remove("result")).unwrap_or_default(),
        data: match answer.remove("data") {
            Some(Value::Object(data)) => Some(data),
            _ => None,
        },
    })
}

/// Lists the calls of a session, newest first.
pub async fn list(
    app: &App,
    access: &SessionAccess,
    page: PageRequest<RunId>,
) -> Result<Page<ToolInvocation, RunId>> {
    let (organization_id, session_id) = (access.organization_id(), access.session_id());
    let mut conn = app.db.read().await?;
    Ok(store::tool_invocation_page(&mut conn, organization_id, session_id, page).await?)
}
