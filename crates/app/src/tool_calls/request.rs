//! From the body of a request to a mediated call. Grammar is checked here, truth is not: a body that cannot be read is
//! INVALID_REQUEST; whether the call is allowed is for the decision.

use std::collections::BTreeMap;

use agent::tool::Tool;
use domain::{
    action::Risk,
    audit::{ArtifactDigest, SafeText, Sha256Hex},
    caller::Caller,
    id::{ArtifactId, RunId, SessionId},
    limits::{SCOPE_VALUE_LENGTH_MAX, TOOL_CALL_INPUTS_MAX},
    policy::{
        CaseId, LaneId, LaneRequest, Operation, RECORD_WRITE, RoleClass, ScopeKey, WriteMode,
        WriteTarget,
    },
};
use serde_json::{Map, Value};

use crate::{
    context::App,
    git,
    mediation::{
        call::{CallKind, MediatedCall, checked_key},
        identify::CallerIdentity,
        malformed::MalformedCall,
    },
};

/// A call as the request's body says it. None of it is believed.
#[derive(Debug, Clone, Default)]
pub struct ToolCallRequest {
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

impl ToolCallRequest {
    /// Reads the request as a call of `caller`.
    pub(super) fn check(self, app: &App, caller: &Caller) -> Result<MediatedCall, MalformedCall> {
        let operation = operation(&self.operation).ok();
        let lane_id = present(self.lane_id.as_deref()).and_then(|lane| LaneId::new(lane).ok());
        let correlation = self.correlation_id.as_deref();
        let correlation_id = correlation.and_then(|id| SafeText::new("correlation_id", id).ok());
        let bad = (operation, lane_id, correlation_id);
        self.read(app, caller).map_err(|message| {
            let (operation, lane_id, correlation_id) = bad;
            MalformedCall {
                message: message.to_owned(),
                operation,
                lane_id,
                correlation_id,
            }
        })
    }

    fn read(self, app: &App, caller: &Caller) -> Read<MediatedCall> {
        let identity = CallerIdentity::of(caller).map_err(|_| "the caller has no role")?;
        let (request, session_id) = self.lane_request(caller)?;
        let run_id = uuid(self.run_id.as_deref(), "run_id is not the id of a run")?;
        if let (Some(inner), Some(outer)) = (request.scope.get(&ScopeKey::RunId), &self.run_id)
            && inner != outer
        {
            return Err("run_id and scope.run_id differ");
        }
        let parent = self.parent_run_id.as_deref();
        let parent_id = uuid(parent, "parent_run_id is not the id of a run")?;
        let inputs = inputs(&self.input_artifacts)?;
        let handles = handles(&self.parameters);
        let (kind, parameters) = (CallKind::Tool, self.parameters);
        let new_run_id = RunId::generate(app.now(), &*app.entropy);
        let mut call = MediatedCall::new(
            kind, identity, request, session_id, inputs, parameters, new_run_id,
        );
        if let Some(claimed) = &self.request_sha256
            && !claimed.eq_ignore_ascii_case(call.request_sha256.as_str())
        {
            return Err("request_hash_sha256 is not the digest of this request");
        }
        if let Some(id) = run_id {
            call.use_prepared_run(id);
        }
        let agent_name = self.actor.and_then(|actor| actor.agent_name);
        call.parent_id = parent_id;
        call.handles = handles;
        call.expected_versions = self.expected_versions;
        call.correlation_id = safe(self.correlation_id, "correlation_id is not a plain id")?;
        call.agent_name = safe(agent_name, "actor.agent_name is not a plain name")?;
        call.idempotency_key = checked_key(self.idempotency_key)?;
        Ok(call)
    }

    /// What the lane has to allow, and the session that the call is for.
    fn lane_request(&self, caller: &Caller) -> Read<(LaneRequest, Option<SessionId>)> {
        let operation = operation(&self.operation)?;
        if Risk::ALL
            .iter()
            .any(|risk| risk.operation() == operation.as_str())
        {
            return Err("an action is asked for in its session, by integration and name");
        }
        if operation.as_str() == git::PUSH_OPERATION || Tool::find(operation.as_str()).is_some() {
            return Err("a tool of a sandbox is called in its session, by its name");
        }
        let lane_id = present(self.lane_id.as_deref())
            .map(|lane| LaneId::new(lane).map_err(|_| "lane_id is not the name of a lane"))
            .transpose()?;
        let (case_id, mut scope) = scope(&self.scope, self.case_id.as_deref())?;
        let session_id = session(caller, &mut scope)?;
        let request = LaneRequest {
            tool_name: operation_name(&self.tool_name)?,
            write: write_target(&operation, &self.parameters)?,
            operation,
            lane_id,
            claimed_actor: self.actor.as_ref().map(claimed_actor).transpose()?,
            claimed_role: self.role_id.clone(),
            scope,
            case_id,
        };
        Ok((request, session_id))
    }
}

/// The error is a sentence for the caller.
type Read<T> = Result<T, &'static str>;

/// A blank value counts as absent.
fn present(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}

fn operation(text: &str) -> Read<Operation> {
    operation_name(text).and_then(|name| {
        Operation::new(name).map_err(|_| "operation is not a valid operation name")
    })
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

/// The case and the scope values. A case id that is blank or too short counts as absent, so that the lane's own
/// requirement denies it; one with other characters is malformed.
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

/// The session of a sandbox is its own, whatever the scope says; every other caller names one.
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

/// Runs that the parameters name: a handle of one case must not be used in another.
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
