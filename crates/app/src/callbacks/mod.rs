//! Tools of a sandbox that the gateway does: the agent's module asks and waits.

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
    limits::TOOL_CALL_ID_LENGTH_MAX,
    page::{Page, PageRequest},
    run::{Run, RunErrorCode, RunState},
};
use serde_json::{Map, Value};
use store::ToolInvocation;

use crate::{
    access::{Insider, SessionAccess},
    context::App,
    error::{Error, Result},
    mediation::{self, CONFLICT, CallBack, Callback, Errand, principal},
};

pub use agent::tool::VERSION_HEADER;

pub use crate::mediation::QUOTA;

/// What an agent's module asks for. None of it is believed.
#[derive(Debug)]
pub struct Asked {
    /// By either of its names.
    pub tool: String,
    /// As the model names the call: the same for every try of it.
    pub tool_call_id: String,
    pub args: Map<String, Value>,
    /// The version of the tool that the module was made for.
    pub version: Option<String>,
}

/// What the agent is told.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    Done {
        result: String,
        data: Option<Map<String, Value>>,
    },
    /// It was tried, or is not to be tried now, and this is why.
    Failed {
        reason: Option<String>,
        message: String,
    },
    /// It takes longer than a connection is worth keeping: asking again joins it.
    Underway,
}

/// Does it, once for each id.
pub async fn call(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    asked: Asked,
    wait: Duration,
) -> Result<Told> {
    let access = SessionAccess::of_agent(app, caller, session_id).await?;
    let organization_id = access.organization_id();
    let tool = Tool::find(&asked.tool).filter(|tool| tool.spec().place == tool::Place::Gateway);
    let tool = tool.ok_or(Error::NotFound("tool"))?;
    if let Err(outdated) = tool.check_version(asked.version.as_deref()) {
        return Err(Error::Conflict(outdated.to_string()));
    }
    if let Err(invalid) = check(&asked) {
        // What cannot be read is on record too.
        mediation::refuse_malformed(app, caller, None).await?;
        return Err(Error::from(invalid).recorded());
    }
    let session = {
        let mut conn = app.db.read().await?;
        conn.session_fetch(organization_id, session_id).await?
    };
    let session = session.ok_or(Error::NotFound("session"))?;
    let call = CallBack {
        organization_id: organization_id.clone(),
        principal: principal(caller)?,
        session_id,
        lane: Mode::of(session.session_type, session.client_type).lane(),
        callback: Callback {
            errand: Errand::Tool(tool),
            tool_call_id: asked.tool_call_id,
        },
        parameters: asked.args,
    };
    let run = mediation::call_back(app, call, wait).await?;
    told(app, &run).await
}

fn check(asked: &Asked) -> std::result::Result<(), Invalid> {
    let id = &asked.tool_call_id;
    if id.is_empty()
        || id.len() > TOOL_CALL_ID_LENGTH_MAX
        || !id.bytes().all(|b| b.is_ascii_graphic())
    {
        let message = format!("must have 1 to {TOOL_CALL_ID_LENGTH_MAX} visible ASCII characters");
        return Err(Invalid::new("tool_call_id", message));
    }
    let args = Value::Object(asked.args.clone());
    match tool::validate(&asked.tool, &args) {
        Ok(_) => Ok(()),
        Err(invalid) if invalid.field == "args" => Err(invalid),
        Err(invalid) => Err(invalid.within("args")),
    }
}

/// What a run means to the agent that asked for it.
async fn told(app: &App, run: &Run) -> Result<Told> {
    let error = match &run.state {
        RunState::Created | RunState::Running { .. } => return Ok(Told::Underway),
        RunState::Completed { .. } => return answer(app, run).await,
        RunState::Denied { .. } if run.reason.as_deref() != Some(QUOTA) => {
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
    Ok(Told::Failed {
        reason: run.reason.clone(),
        message: message.to_owned(),
    })
}

/// What was kept of the answer when it was made.
async fn answer(app: &App, run: &Run) -> Result<Told> {
    let outputs = mediation::answer_of(app, run).await?.outputs;
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
    Ok(Told::Done {
        result: text(answer.remove("result")).unwrap_or_default(),
        data: match answer.remove("data") {
            Some(Value::Object(data)) => Some(data),
            _ => None,
        },
    })
}

/// The calls of a session, newest first.
pub async fn list(
    app: &App,
    insider: &Insider,
    session_id: SessionId,
    page: PageRequest<RunId>,
) -> Result<Page<ToolInvocation, RunId>> {
    let organization_id = insider.organization_id();
    let mut conn = app.db.read().await?;
    let session = conn.session_fetch(organization_id, session_id).await?;
    session.ok_or(Error::NotFound("session"))?;
    Ok(conn
        .tool_invocation_page(organization_id, session_id, page)
        .await?)
}
