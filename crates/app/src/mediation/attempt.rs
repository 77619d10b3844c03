//! From what a request says to what can be decided. Grammar is checked here, truth is not: what cannot be
//! read is INVALID_REQUEST, what can be read and may not be is for the decision.

use std::collections::BTreeMap;

use domain::{
    Invalid,
    action::Risk,
    audit::{ArtifactDigest, SafeText, Sha256Hex},
    caller::Caller,
    capacity::CapacityPermit,
    id::{ArtifactId, OrganizationId, RunId, SessionId},
    limits::{IDEMPOTENCY_KEY_LENGTH_MAX, SCOPE_VALUE_LENGTH_MAX, TOOL_CALL_INPUTS_MAX},
    policy::{
        Call, CaseId, LaneId, Operation, Principal, RECORD_WRITE, RoleClass, ScopeKey, WriteMode,
        WriteTarget,
    },
    projection::RequestProjection,
    run::{RunError, RunErrorCode},
};
use serde_json::{Map, Value};

use super::{
    Answer,
    ask::Ask,
    callback::{Callback, is_of_sandbox},
    events, member_key, principal,
};
use crate::{context::App, error::Result};

/// A call as the request's body says it. None of it is believed.
#[derive(Debug, Clone, Default)]
pub struct Attempt {
    pub tool_name: String,
    pub operation: String,
    pub lane_id: Option<String>,
    pub actor: Option<ClaimedActor>,
    pub role_id: Option<String>,
    pub case_id: Option<String>,
    pub run_id: Option<String>,
    pub parent_run_id: Option<String>,
    pub correlation_id: Option<String>,
    pub input_artifacts: Vec<ClaimedInput>,
    pub parameters: Map<String, Value>,
    pub scope: BTreeMap<String, String>,
    /// Blob ids of the lanes and roles the caller expects to be decided under.
    pub expected_versions: Option<(String, String)>,
    pub request_sha256: Option<String>,
    pub idempotency_key: Option<String>,
}

#[derive(Debug, Clone)]
pub struct ClaimedActor {
    pub actor_type: String,
    pub actor_id: String,
    pub agent_name: Option<String>,
}

#[derive(Debug, Clone)]
pub struct ClaimedInput {
    pub artifact_id: String,
    pub artifact_kind: String,
    pub hash_sha256: String,
}

/// A call that can be decided.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) organization_id: OrganizationId,
    pub(super) principal: Principal,
    /// The caller as a member of cases.
    pub(super) member: String,
    pub(super) call: Call,
    /// The run that was made beforehand, if the caller names one.
    pub(super) run_id: Option<RunId>,
    pub(super) new_run_id: RunId,
    pub(super) parent_id: Option<RunId>,
    /// The session the call is for: the sandbox's own, or the one its scope names.
    pub(super) session_id: Option<SessionId>,
    /// Whether the caller is the agent in that session's sandbox.
    pub(super) in_sandbox: bool,
    pub(super) inputs: Vec<(ArtifactId, ArtifactDigest)>,
    /// Runs the parameters refer to.
    pub(super) handles: Vec<RunId>,
    pub(super) parameters: Map<String, Value>,
    pub(super) expected_versions: Option<(String, String)>,
    pub(super) correlation_id: Option<SafeText<120>>,
    pub(super) agent_name: Option<SafeText<120>>,
    pub(super) key: Option<String>,
    pub(super) sha256: Sha256Hex,
    /// What an action brings along.
    pub(super) ask: Option<Box<Ask>>,
    /// What a tool of a sandbox brings along.
    pub(super) callback: Option<Box<Callback>>,
    /// Of the calls that the process has under way; held until the call is over.
    pub(super) capacity: Option<CapacityPermit>,
}

/// A call that belongs to a session, by somebody who is known.
#[derive(Debug)]
pub(super) struct InSession {
    pub(super) organization_id: OrganizationId,
    pub(super) principal: Principal,
    pub(super) session_id: SessionId,
    pub(super) tool_name: String,
    /// What the digest calls the target.
    pub(super) target: String,
    pub(super) operation: Operation,
    pub(super) lane_id: LaneId,
    /// The run that was made beforehand.
    pub(super) run_id: Option<RunId>,
    pub(super) parameters: Map<String, Value>,
    pub(super) key: Option<String>,
    pub(super) correlation_id: Option<SafeText<120>>,
}

impl InSession {
    pub(super) fn request(self, app: &App) -> std::result::Result<Request, Invalid> {
        // The key goes into a unique index, whichever way the call came.
        let key = key(self.key).map_err(|message| Invalid::new("Idempotency-Key", message))?;
        let session = (ScopeKey::SessionId, self.session_id.to_string());
        let mut scope = BTreeMap::from([session]);
        let projection = RequestProjection {
            tool_name: &self.target,
            operation: self.operation.as_str(),
            lane_id: Some(&self.lane_id),
            case_id: None,
            actor: (self.principal.class, &self.principal.actor_id),
            scope: &scope,
            inputs: &[],
            parameters: &self.parameters,
        };
        let sha256 = projection.sha256();
        let new_run_id = RunId::generate(app.now(), &*app.entropy);
        let named = self.run_id.unwrap_or(new_run_id);
        scope.insert(ScopeKey::RunId, named.to_string());
        Ok(Request {
            in_sandbox: self.principal.class == RoleClass::Agent
                && self.principal.actor_id == self.session_id.to_string(),
            organization_id: self.organization_id,
            principal: self.principal,
            member: String::new(),
            call: Call {
                tool_name: self.tool_name,
                operation: self.operation,
                lane_id: Some(self.lane_id),
                write: None,
                claimed_actor: None,
                claimed_role: None,
                scope,
                case_id: None,
                destination: None,
            },
            run_id: self.run_id,
            new_run_id,
            parent_id: None,
            session_id: Some(self.session_id),
            inputs: Vec::new(),
            handles: Vec::new(),
            parameters: self.parameters,
            expected_versions: None,
            correlation_id: self.correlation_id,
            agent_name: None,
            key,
            sha256,
            ask: None,
            callback: None,
            capacity: None,
        })
    }
}

impl Request {
    /// What is called, as the record names it.
    pub(super) fn target_name(&self) -> String {
        match &self.ask {
            Some(ask) => format!("{}/{}", ask.integration, ask.action),
            None => self.call.tool_name.clone(),
        }
    }
}

/// A request that cannot be decided, with what is wrong in a sentence of ours.
#[derive(Debug)]
pub(super) struct Malformed {
    pub(super) message: String,
    pub(super) operation: Option<Operation>,
    pub(super) lane_id: Option<LaneId>,
    pub(super) correlation_id: Option<SafeText<120>>,
}

impl Malformed {
    pub(super) fn shapeless(member: Option<&'static str>) -> Self {
        let message = match member {
            None => "the body is not a tool call".to_owned(),
            Some(member) => format!("{member} is missing or not what it should be"),
        };
        Self {
            message,
            operation: None,
            lane_id: None,
            correlation_id: None,
        }
    }

    /// Both events, no run, and the answer.
    pub(super) async fn refuse(self, app: &App, caller: &Caller) -> Result<Answer> {
        let principal = principal(caller)?;
        let error = RunError::new(RunErrorCode::InvalidRequest, &self.message, false);
        let events = events::malformed(app, caller, &principal, &self, &error)?;
        app.group().record(app, events).await?;
        Ok(Answer::malformed(self, error))
    }
}

impl Attempt {
    pub(super) fn check(
        self,
        app: &App,
        caller: &Caller,
    ) -> std::result::Result<Request, Malformed> {
        let operation = operation(&self.operation).ok();
        let lane_id = present(self.lane_id.as_deref()).and_then(|lane| LaneId::new(lane).ok());
        let correlation = self.correlation_id.as_deref();
        let correlation_id = correlation.and_then(|id| SafeText::new("correlation_id", id).ok());
        let bad = (operation, lane_id, correlation_id);
        self.read(app, caller).map_err(|message| {
            let (operation, lane_id, correlation_id) = bad;
            Malformed {
                message: message.to_owned(),
                operation,
                lane_id,
                correlation_id,
            }
        })
    }

    fn read(self, app: &App, caller: &Caller) -> Read<Request> {
        let principal = principal(caller).map_err(|_| "the caller has no role")?;
        let (mut call, session_id) = self.call(caller)?;
        let run_id = uuid(self.run_id.as_deref(), "run_id is not the id of a run")?;
        if let (Some(inner), Some(outer)) = (call.scope.get(&ScopeKey::RunId), &self.run_id)
            && inner != outer
        {
            return Err("run_id and scope.run_id differ");
        }
        let parent = self.parent_run_id.as_deref();
        let parent_id = uuid(parent, "parent_run_id is not the id of a run")?;
        let inputs = inputs(&self.input_artifacts)?;
        let request_sha256 = self.digest(&principal, &call, &inputs)?;
        // The run is ours to make; the lane's requirement is met by its being made.
        let new_run_id = RunId::generate(app.now(), &*app.entropy);
        let named = run_id.unwrap_or(new_run_id);
        call.scope.insert(ScopeKey::RunId, named.to_string());
        let agent_name = self.actor.and_then(|actor| actor.agent_name);
        Ok(Request {
            new_run_id,
            organization_id: caller.organization_id().clone(),
            member: member_key(caller),
            call,
            principal,
            run_id,
            parent_id,
            session_id,
            in_sandbox: matches!(caller, Caller::Sandbox { .. }),
            inputs,
            handles: handles(&self.parameters),
            parameters: self.parameters,
            expected_versions: self.expected_versions,
            correlation_id: safe(self.correlation_id, "correlation_id is not a plain id")?,
            agent_name: safe(agent_name, "actor.agent_name is not a plain name")?,
            key: key(self.idempotency_key)?,
            sha256: request_sha256,
            ask: None,
            callback: None,
            capacity: None,
        })
    }

    /// What is asked for, and the session it is for.
    fn call(&self, caller: &Caller) -> Read<(Call, Option<SessionId>)> {
        let operation = operation(&self.operation)?;
        if Risk::ALL
            .iter()
            .any(|risk| risk.operation() == operation.as_str())
        {
            return Err("an action is asked for in its session, by integration and name");
        }
        if is_of_sandbox(operation.as_str()) {
            return Err("a tool of a sandbox is called in its session, by its name");
        }
        let lane_id = present(self.lane_id.as_deref())
            .map(|lane| LaneId::new(lane).map_err(|_| "lane_id is not the name of a lane"))
            .transpose()?;
        let (case_id, mut scope) = scope(&self.scope, self.case_id.as_deref())?;
        let session_id = session(caller, &mut scope)?;
        let call = Call {
            tool_name: operation_name(&self.tool_name)?,
            write: write_target(&operation, &self.parameters)?,
            operation,
            lane_id,
            claimed_actor: self.actor.as_ref().map(claimed_actor).transpose()?,
            claimed_role: self.role_id.clone(),
            scope,
            case_id,
            destination: None,
        };
        Ok((call, session_id))
    }

    /// The digest of the request, which must be the one it claims to have. Taken before the run is named:
    /// the same request has the same digest in every run.
    fn digest(
        &self,
        principal: &Principal,
        call: &Call,
        inputs: &[(ArtifactId, ArtifactDigest)],
    ) -> Read<Sha256Hex> {
        let inputs: Vec<_> = inputs.iter().map(|(_, digest)| digest.clone()).collect();
        let projection = RequestProjection {
            tool_name: &call.tool_name,
            operation: call.operation.as_str(),
            lane_id: call.lane_id.as_ref(),
            case_id: call.case_id.as_ref(),
            actor: (principal.class, &principal.actor_id),
            scope: &call.scope,
            inputs: &inputs,
            parameters: &self.parameters,
        };
        let digest = projection.sha256();
        match &self.request_sha256 {
            Some(claimed) if !claimed.eq_ignore_ascii_case(digest.as_str()) => {
                Err("request_hash_sha256 is not the digest of this request")
            }
            _ => Ok(digest),
        }
    }
}

type Read<T> = std::result::Result<T, &'static str>;

/// A blank is as good as nothing.
fn present(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}

fn operation(text: &str) -> Read<Operation> {
    operation_name(text)
        .and_then(|name| Operation::new(name).map_err(|_| "operation is not the name of one"))
}

/// Dotted segments, none of them empty.
fn operation_name(text: &str) -> Read<String> {
    match Operation::new(text) {
        Ok(name) if name.as_str().split('.').all(|part| !part.is_empty()) => Ok(text.to_owned()),
        _ => Err("tool_name and operation must be names of a-z, 0-9, _, - between single dots"),
    }
}

fn uuid(text: Option<&str>, message: &'static str) -> Read<Option<RunId>> {
    present(text)
        .map(|text| text.parse().map_err(|_| message))
        .transpose()
}

/// The case and the scope values. A case id that is blank or too short is as good as none, so that the
/// lane's own requirement denies it; one with other characters is no id at all.
fn scope(
    given: &BTreeMap<String, String>,
    case_id: Option<&str>,
) -> Read<(Option<CaseId>, BTreeMap<ScopeKey, String>)> {
    let mut scope = BTreeMap::new();
    for (key, value) in given {
        let key: ScopeKey = key
            .parse()
            .map_err(|_| "scope has a key the contract does not know")?;
        if value.len() > SCOPE_VALUE_LENGTH_MAX || value.contains(char::is_control) {
            return Err("a scope value is too long or has control characters");
        }
        scope.insert(key, value.clone());
    }
    if let (Some(outer), Some(inner)) = (present(case_id), scope.get(&ScopeKey::CaseId))
        && outer != inner
    {
        return Err("case_id and scope.case_id differ");
    }
    let stated = scope.get(&ScopeKey::CaseId).cloned();
    let Some(text) = present(case_id.or(stated.as_deref())) else {
        scope.remove(&ScopeKey::CaseId);
        return Ok((None, scope));
    };
    let safe = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    if !text.bytes().all(safe) {
        return Err("case_id is not the id of a case");
    }
    let id = CaseId::new(text).ok();
    match &id {
        Some(id) => _ = scope.insert(ScopeKey::CaseId, id.as_str().to_owned()),
        None => _ = scope.remove(&ScopeKey::CaseId),
    }
    Ok((id, scope))
}

/// A sandbox acts for its own session whatever it says; anybody else names one.
fn session(caller: &Caller, scope: &mut BTreeMap<ScopeKey, String>) -> Read<Option<SessionId>> {
    let stated = scope.get(&ScopeKey::SessionId).map(|text| text.parse());
    let stated = stated
        .transpose()
        .map_err(|_| "scope.session_id is not the id of a session")?;
    match caller {
        Caller::Sandbox { session_id, .. } => {
            scope
                .entry(ScopeKey::SessionId)
                .or_insert_with(|| session_id.to_string());
            Ok(stated.or(Some(*session_id)))
        }
        Caller::User { .. } | Caller::Service { .. } => Ok(stated),
    }
}

fn claimed_actor(actor: &ClaimedActor) -> Read<(RoleClass, String)> {
    let class = actor
        .actor_type
        .parse()
        .map_err(|_| "actor.actor_type must be agent, human or system")?;
    if actor.actor_id.len() > 120 || actor.actor_id.contains(char::is_control) {
        return Err("actor.actor_id is not the id of an actor");
    }
    Ok((class, actor.actor_id.clone()))
}

fn inputs(claimed: &[ClaimedInput]) -> Read<Vec<(ArtifactId, ArtifactDigest)>> {
    if claimed.len() > TOOL_CALL_INPUTS_MAX {
        return Err("there are too many input_artifacts");
    }
    let input = |claimed: &ClaimedInput| {
        let id: ArtifactId = claimed
            .artifact_id
            .parse()
            .map_err(|_| "input_artifacts: artifact_id is not the id of an artifact")?;
        let kind = SafeText::new("artifact_kind", claimed.artifact_kind.clone())
            .map_err(|_| "input_artifacts: artifact_kind is not a kind")?;
        // Compared as bytes: the case of the digits does not matter.
        let sha256 = Sha256Hex::new("hash_sha256", claimed.hash_sha256.to_ascii_lowercase())
            .map_err(|_| "input_artifacts: hash_sha256 is not a SHA-256")?;
        let safe = SafeText::new("artifact_id", id.to_string())
            .map_err(|_| "input_artifacts: artifact_id is not the id of an artifact")?;
        let digest = ArtifactDigest {
            id: safe,
            kind,
            sha256,
        };
        Ok((id, digest))
    };
    claimed.iter().map(input).collect()
}

/// Runs that the parameters name: a handle of one case must not be asked for in another.
fn handles(parameters: &Map<String, Value>) -> Vec<RunId> {
    let named = parameters.get("run_id").and_then(Value::as_str);
    named
        .and_then(|text| text.parse().ok())
        .into_iter()
        .collect()
}

fn write_target(
    operation: &Operation,
    parameters: &Map<String, Value>,
) -> Read<Option<WriteTarget>> {
    if operation.as_str() != RECORD_WRITE {
        return Ok(None);
    }
    let text = |name: &str| parameters.get(name).and_then(Value::as_str);
    let table = text("table")
        .and_then(|table| table.parse().ok())
        .ok_or("parameters.table is not the name of a table")?;
    let mode: WriteMode = text("mode")
        .and_then(|mode| mode.parse().ok())
        .ok_or("parameters.mode must be append or upsert")?;
    Ok(Some(WriteTarget { table, mode }))
}

fn safe(text: Option<String>, message: &'static str) -> Read<Option<SafeText<120>>> {
    text.map(|text| SafeText::new("text", text).map_err(|_| message))
        .transpose()
}

fn key(key: Option<String>) -> Read<Option<String>> {
    match key {
        Some(key) if key.is_empty() || key.len() > IDEMPOTENCY_KEY_LENGTH_MAX => {
            Err("the idempotency key is empty or too long")
        }
        Some(key) if key.contains(char::is_control) => {
            Err("the idempotency key has control characters")
        }
        key => Ok(key),
    }
}
