//! One call on its way through mediation: built by its entry and carried through every step.

use std::{collections::BTreeMap, sync::Arc};

use domain::{
    action::{ActionName, IntegrationName, Invocation, Risk},
    audit::{ArtifactDigest, SafeText, Sha256Hex},
    capacity::CapacityPermit,
    id::{ArtifactId, IntegrationId, InvocationId, RunId, SessionId},
    limits::IDEMPOTENCY_KEY_LENGTH_MAX,
    policy::{LaneId, LaneRequest, Operation, ScopeKey},
    projection::RequestProjection,
};
use serde_json::{Map, Value};
use tools::Executor;

use super::identify::CallerIdentity;

/// The tool name of every action in policy; the record names the integration and the action instead.
const ACTION_TOOL: &str = "action";

/// A call that can be decided.
#[derive(Debug)]
pub(crate) struct MediatedCall {
    pub(crate) kind: CallKind,
    pub(crate) caller: CallerIdentity,
    /// What the lane decision looks at.
    pub(crate) request: LaneRequest,
    /// The run of this call, unless it uses a prepared one.
    pub(crate) new_run_id: RunId,
    /// The run that was made beforehand for this call, if the caller names one.
    pub(crate) prepared_run_id: Option<RunId>,
    pub(crate) parent_id: Option<RunId>,
    /// The session that the call is for: the sandbox's own, or the one that its scope names.
    pub(crate) session_id: Option<SessionId>,
    pub(crate) inputs: Vec<(ArtifactId, ArtifactDigest)>,
    /// Runs that the parameters refer to.
    pub(crate) handles: Vec<RunId>,
    pub(crate) parameters: Map<String, Value>,
    /// Blob ids of the lanes and roles that the caller expects to be decided under.
    pub(crate) expected_versions: Option<(String, String)>,
    pub(crate) correlation_id: Option<SafeText<120>>,
    pub(crate) agent_name: Option<SafeText<120>>,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) request_sha256: Sha256Hex,
    /// The executor that the entry hands in. An action or a push always has one; for a tool or a callback, an
    /// executor that is registered for the operation takes precedence.
    pub(crate) executor: Option<Arc<dyn Executor>>,
    /// The call's share of the capacity of this process; held until the call is over.
    pub(super) capacity: Option<CapacityPermit>,
}

/// What kind of call it is. The steps are the same; a kind adds what only it needs.
#[derive(Debug)]
pub(crate) enum CallKind {
    /// A lane-governed tool call.
    Tool,
    /// A tool of the agent that the gateway runs while the agent waits.
    Callback(SessionTool),
    /// An action of an integration, which may be held for approval.
    Action(Box<ActionRequest>),
    /// A git push from a sandbox.
    Push(SessionTool),
}

/// What a call of a sandbox adds: it is counted and listed per session.
#[derive(Debug)]
pub(crate) struct SessionTool {
    pub(crate) tool_call_id: String,
    /// How many calls of this operation a session may make within `CALLBACK_QUOTA_WINDOW`.
    pub(crate) quota: u32,
    /// Why the target does not accept the call, if it does not: a sentence for the caller.
    pub(crate) rejection: Option<&'static str>,
}

/// What an action adds: it may be held until an admin approves it.
#[derive(Debug)]
pub(crate) struct ActionRequest {
    pub(crate) id: InvocationId,
    pub(crate) integration: IntegrationName,
    pub(crate) action: ActionName,
    pub(crate) integration_id: Option<IntegrationId>,
    pub(crate) risk: Risk,
    /// The digest of the call, which an approval is bound to.
    pub(crate) call_sha256: Sha256Hex,
    /// The digest of the tool's definition as it is now.
    pub(crate) tool_sha256: Sha256Hex,
    /// The digest that grants are bound to; `None` for a connector's tool, where it is the definition's.
    pub(crate) built_in: Option<Sha256Hex>,
    /// The redacted parameters, for the record.
    pub(crate) shown: Value,
    /// The parameters as they run, encrypted.
    pub(crate) sealed: String,
    /// The approval that this call uses; `None` for a new call.
    pub(crate) approved: Option<Invocation>,
}

impl MediatedCall {
    /// A call of `caller`. Its digest covers `request` as it is given here: before the run is named, so that
    /// the same request has the same digest in every run.
    pub(crate) fn new(
        kind: CallKind,
        caller: CallerIdentity,
        request: LaneRequest,
        session_id: Option<SessionId>,
        inputs: Vec<(ArtifactId, ArtifactDigest)>,
        parameters: Map<String, Value>,
        new_run_id: RunId,
    ) -> Self {
        let digests: Vec<ArtifactDigest> =
            inputs.iter().map(|(_, digest)| digest.clone()).collect();
        let projection = RequestProjection {
            tool_name: &kind.target_name(&request),
            operation: request.operation.as_str(),
            lane_id: request.lane_id.as_ref(),
            case_id: request.case_id.as_ref(),
            actor: (caller.principal.class, &caller.principal.actor_id),
            scope: &request.scope,
            inputs: &digests,
            parameters: &parameters,
        };
        let request_sha256 = projection.sha256();
        let mut call = Self {
            kind,
            caller,
            request,
            new_run_id,
            prepared_run_id: None,
            parent_id: None,
            session_id,
            inputs,
            handles: Vec::new(),
            parameters,
            expected_versions: None,
            correlation_id: None,
            agent_name: None,
            idempotency_key: None,
            request_sha256,
            executor: None,
            capacity: None,
        };
        call.name_run(new_run_id);
        call
    }

    /// A call that belongs to a session and to no case.
    pub(crate) fn in_session(
        kind: CallKind,
        caller: CallerIdentity,
        session_id: SessionId,
        lane_id: LaneId,
        operation: Operation,
        parameters: Map<String, Value>,
        new_run_id: RunId,
    ) -> Self {
        let tool_name = match &kind {
            CallKind::Action(_) => ACTION_TOOL.to_owned(),
            CallKind::Tool | CallKind::Callback(_) | CallKind::Push(_) => {
                operation.as_str().to_owned()
            }
        };
        let request = LaneRequest {
            tool_name,
            operation,
            lane_id: Some(lane_id),
            write: None,
            claimed_actor: None,
            claimed_role: None,
            scope: BTreeMap::from([(ScopeKey::SessionId, session_id.to_string())]),
            case_id: None,
        };
        let session = Some(session_id);
        Self::new(
            kind,
            caller,
            request,
            session,
            Vec::new(),
            parameters,
            new_run_id,
        )
    }

    /// Uses a run that was made beforehand.
    pub(crate) fn use_prepared_run(&mut self, id: RunId) {
        self.prepared_run_id = Some(id);
        self.name_run(id);
    }

    /// The gateway makes the run, so the lane's requirement of a run is met by making it.
    fn name_run(&mut self, id: RunId) {
        self.request.scope.insert(ScopeKey::RunId, id.to_string());
    }

    /// What is called, as the record names it.
    pub(super) fn target_name(&self) -> String {
        self.kind.target_name(&self.request)
    }
}

impl CallKind {
    pub(crate) const fn action(&self) -> Option<&ActionRequest> {
        match self {
            Self::Action(action) => Some(action),
            Self::Tool | Self::Callback(_) | Self::Push(_) => None,
        }
    }

    pub(super) const fn session_tool(&self) -> Option<&SessionTool> {
        match self {
            Self::Callback(tool) | Self::Push(tool) => Some(tool),
            Self::Tool | Self::Action(_) => None,
        }
    }

    /// Whether the call belongs to its session, and needs no parent run.
    pub(super) const fn is_of_session(&self) -> bool {
        !matches!(self, Self::Tool)
    }

    fn target_name(&self, request: &LaneRequest) -> String {
        match self.action() {
            Some(action) => format!("{}/{}", action.integration, action.action),
            None => request.tool_name.clone(),
        }
    }
}

/// Checks an idempotency key: it goes into a unique index. The error is a sentence for the caller.
pub(crate) fn checked_key(key: Option<String>) -> Result<Option<String>, &'static str> {
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
