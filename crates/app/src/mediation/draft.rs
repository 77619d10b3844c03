//! The rows and events of a decided call, before they are written down.

use std::sync::Arc;

use domain::{
    action::redact::{self, Fingerprints},
    audit::Outcome,
    clock::Timestamp,
    limits::{ACTION_RECORD_BYTES_MAX, RUN_DEADLINE_GRACE},
    policy::{Permit, RuleId, ToolSpec},
    run::{InvalidRunTransition, Run, RunActor, RunError, RunErrorCode, RunState, RunTarget},
};
use serde_json::Value;
use store::{InputFact, NewAuditEvent, NewToolInvocation, RunTaken};

use super::{
    call::MediatedCall,
    claim::key_scope,
    events::CallEvents,
    facts::FoundFacts,
    hold::{ActionVerdict, DecidedAction},
    messages,
    response::response_digest,
    run_kind,
};
use crate::{
    context::App,
    error::{Error, Result},
    policy::Policy,
};

/// The policies that a call is decided under: both must allow it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Policies<'a> {
    /// The policy that the run is pinned to; `None` where the pins lead to no policy.
    pub(super) pinned: Option<&'a Arc<Policy>>,
    /// The policy in force.
    pub(super) current: &'a Arc<Policy>,
}

impl<'a> Policies<'a> {
    /// The policy whose rules the call runs under.
    pub(super) fn deciding(self) -> &'a Arc<Policy> {
        self.pinned.unwrap_or(self.current)
    }
}

/// Why a call is denied.
#[derive(Debug)]
pub(super) struct CallDenial {
    /// The rule of the lane decision, if one denied it.
    pub(super) rule: Option<RuleId>,
    /// A word for the record.
    pub(super) reason: &'static str,
    pub(super) error: RunError,
}

impl CallDenial {
    pub(super) fn by_rule(rule: RuleId) -> Self {
        let message = messages::denied(rule);
        Self {
            rule: Some(rule),
            reason: rule.as_str(),
            error: RunError::new(RunErrorCode::PolicyDenied, message, false),
        }
    }
}

/// What the decision steps found.
#[derive(Debug)]
pub(super) struct LaneDecision {
    pub(super) lane: std::result::Result<Authorized, CallDenial>,
    /// For an action.
    pub(super) action: Option<DecidedAction>,
    /// For a call of a sandbox: the reason and the error, if it is over its quota.
    pub(super) over_quota: Option<(&'static str, RunError)>,
}

/// A decided call on its way into the tables.
#[derive(Debug)]
pub(super) struct DecidedCall {
    pub(super) run: Run,
    pub(super) authorized: Option<Authorized>,
    pub(super) action: Option<DecidedAction>,
    pub(super) tool_invocation: Option<NewToolInvocation>,
    pub(super) inputs: Vec<InputFact>,
    /// The idempotency key that the run claims, with its scope.
    pub(super) key: Option<(String, String)>,
    /// The call that was made before under the key.
    pub(super) earlier: Option<Run>,
    pub(super) events: Vec<NewAuditEvent>,
    /// The events that are recorded instead if the key belongs to another call.
    pub(super) conflict_events: Vec<NewAuditEvent>,
}

/// Drafts what is written down of a call.
pub(super) fn draft(
    app: &App,
    call: &MediatedCall,
    found: &FoundFacts,
    taken: Option<RunTaken>,
    decision: LaneDecision,
    policies: Policies<'_>,
    now: Timestamp,
) -> Result<DecidedCall> {
    let policy = policies.deciding();
    let spec = policy.tool(&call.request.operation).cloned();
    let mut run = new_run(call, found, spec.as_deref(), now);
    let mut key = None;
    if let Some(taken) = taken {
        run.created_at = taken.created_at;
        key = taken.key;
    }
    let LaneDecision {
        lane,
        action,
        over_quota,
    } = decision;
    let verdict = action.as_ref().map(|action| &action.verdict);
    let is_held = matches!(verdict, Some(ActionVerdict::Hold));
    let refusal = over_quota.or_else(|| verdict?.denial());
    let (authorized, denial) = authorize(lane, refusal, is_held);
    start_or_deny(&mut run, authorized.as_ref(), denial.as_ref(), now)?;
    // Only a call that is allowed, or may yet be, claims its key: a caller that is denied in a case cannot use up
    // the keys of that case.
    if key.is_none() && denial.is_none() {
        key = call
            .idempotency_key
            .clone()
            .map(|key| (key_scope(call), key));
    }
    let context = CallEvents {
        app,
        run: &run,
        agent_name: call.agent_name.as_ref(),
        pinned: policy,
        current: policies.current,
        at: now,
    };
    let (events, conflict_events) = events(&context, denial.as_ref(), is_held, key.is_some())?;
    let tool_invocation = authorized
        .as_ref()
        .and_then(|_| tool_invocation(call, &run));
    Ok(DecidedCall {
        run,
        authorized,
        action,
        tool_invocation,
        inputs: found.inputs.iter().flatten().cloned().collect(),
        key,
        earlier: None,
        events,
        conflict_events,
    })
}

/// What a permitted call runs with: the permit, its tool, and the policy that permits it.
pub(super) type Authorized = (Permit, Arc<ToolSpec>, Arc<Policy>);

/// The permit of a call that may run now, or why it is denied. A held call has neither yet.
fn authorize(
    lane: std::result::Result<Authorized, CallDenial>,
    refusal: Option<(&'static str, RunError)>,
    is_held: bool,
) -> (Option<Authorized>, Option<CallDenial>) {
    match (lane, refusal) {
        (Err(denial), _) => (None, Some(denial)),
        (Ok(_), Some((reason, error))) => {
            let rule = None;
            let denial = CallDenial {
                rule,
                reason,
                error,
            };
            (None, Some(denial))
        }
        (Ok(_), None) if is_held => (None, None),
        (Ok(authorized), None) => (Some(authorized), None),
    }
}

/// Starts the run of an authorized call, and ends that of a denied one.
fn start_or_deny(
    run: &mut Run,
    authorized: Option<&Authorized>,
    denial: Option<&CallDenial>,
    now: Timestamp,
) -> Result<()> {
    let state = std::mem::replace(&mut run.state, RunState::Created);
    if let Some((_, spec, policy)) = authorized {
        let deadline = now.plus(spec.timeout).plus(RUN_DEADLINE_GRACE);
        run.state = moved(state.start(now, policy.id().clone(), Some(deadline)))?;
    } else if let Some(denial) = denial {
        run.state = moved(state.deny(now, denial.error.clone()))?;
        run.reason = Some(denial.reason.to_owned());
        run.response_sha256 = Some(response_digest(run, &run.state, &[]));
    }
    Ok(())
}

/// The events of the decision, and those of the conflict that it is under a key that is taken.
fn events(
    context: &CallEvents<'_>,
    denial: Option<&CallDenial>,
    is_held: bool,
    has_key: bool,
) -> Result<(Vec<NewAuditEvent>, Vec<NewAuditEvent>)> {
    let action = run_kind::action_type(context.run.kind);
    let denied = |denial: &CallDenial| -> Result<Vec<NewAuditEvent>> {
        let outcome = match denial.error.code {
            RunErrorCode::PolicyDenied => Outcome::Deny,
            _ => Outcome::Failure,
        };
        let reason = Some(denial.reason);
        Ok(vec![
            context.decision(denial.rule, reason)?,
            context.result(action, outcome, reason, Some(&denial.error))?,
        ])
    };
    if let Some(denial) = denial {
        return Ok((denied(denial)?, Vec::new()));
    }
    let conflict_events = if has_key {
        let message = "the idempotency key was used for another call";
        denied(&CallDenial {
            rule: Some(RuleId::RunInvalid),
            reason: "idempotency_conflict",
            error: RunError::new(RunErrorCode::InvalidRequest, message, false),
        })?
    } else {
        Vec::new()
    };
    let reason = is_held.then_some("approval_required");
    Ok((vec![context.decision(None, reason)?], conflict_events))
}

fn new_run(
    call: &MediatedCall,
    found: &FoundFacts,
    spec: Option<&ToolSpec>,
    now: Timestamp,
) -> Run {
    let id = match (&found.prepared, call.prepared_run_id) {
        (Some(_), Some(id)) if found.prepared_usable(call) => id,
        _ => call.new_run_id,
    };
    let (caller, request) = (&call.caller, &call.request);
    let correlation_id = call.correlation_id.as_ref();
    Run {
        id,
        organization_id: caller.organization_id.clone(),
        kind: run_kind::of(&request.operation),
        root_id: found.parent.as_ref().map_or(id, |parent| parent.root_id),
        parent_id: found.parent.as_ref().map(|parent| parent.id),
        case_id: request.case_id.clone(),
        session_id: call.session_id,
        actor: RunActor {
            class: caller.principal.class,
            id: caller.principal.actor_id.clone(),
            role: caller.principal.role.clone(),
        },
        target: Some(RunTarget {
            lane: request.lane_id.clone(),
            tool_name: call.target_name(),
            operation: request.operation.clone(),
            version: spec.map(|spec| spec.version.clone()),
        }),
        correlation_id: correlation_id.map(|id| id.as_str().to_owned()),
        request_sha256: Some(call.request_sha256.clone()),
        created_at: now,
        state: RunState::Created,
        reason: None,
        inputs: call
            .inputs
            .iter()
            .map(|(_, digest)| digest.clone())
            .collect(),
        outputs: Vec::new(),
        response_sha256: None,
    }
}

/// The row of a call of a sandbox, with its redacted parameters.
fn tool_invocation(call: &MediatedCall, run: &Run) -> Option<NewToolInvocation> {
    let tool = call.kind.session_tool()?;
    let params = Value::Object(call.parameters.clone());
    let shown = redact::redact(&params, &Fingerprints::default());
    Some(NewToolInvocation {
        id: run.id,
        organization_id: run.organization_id.clone(),
        session_id: run.session_id?,
        tool_call_id: tool.tool_call_id.clone(),
        tool_name: call.request.operation.as_str().to_owned(),
        params: shown.preview(ACTION_RECORD_BYTES_MAX).value,
        created_at: run.created_at,
    })
}

/// The first transition of a new run, which cannot fail.
fn moved(moved: std::result::Result<RunState, InvalidRunTransition>) -> Result<RunState> {
    moved.map_err(|error| Error::Conflict(error.to_string()))
}
