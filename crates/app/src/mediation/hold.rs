//! Risk, grant and approval: whether an action that its lane allows runs at once, is held for approval or is
//! denied. Decided in the transaction that decides the call.
//!
//! INVARIANT: an invocation and its run move in one transaction, runs before invocations, so that two transactions
//! that move the same one wait for each other instead of blocking each other.

use std::time::Duration;

use domain::{
    action::{
        ActionCall, Authority, Binding, CallDefinition, Claim, DeniedBy, Disposition, Effect,
        Grant, Invocation, InvocationState, Refusal, ResultRef, Risk, Standing, SuspendedGrant,
        dispose, suspended,
    },
    clock::Timestamp,
    id::{GrantId, SessionId},
    limits::PENDING_LIFE,
    organization_limits::OrganizationLimits,
    policy::{Lane, PolicyId},
    run::{RunError, RunErrorCode},
};
use serde_json::Value;
use store::{InvocationMove, InvocationRecord, NewInvocation, Tx};

use super::{
    call::{ActionRequest, MediatedCall},
    quota::BatchCounts,
};
use crate::{
    error::{Error, Result},
    policy::Policy,
};

/// What the risk rules decide about an action.
#[derive(Debug)]
pub(super) enum ActionVerdict {
    Execute,
    /// The action waits for approval.
    Hold,
    Deny(Refusal),
    /// Too many actions of the session wait for approval already.
    TooManyHeld,
}

/// An action after its decision, with what is to be written down of it.
#[derive(Debug)]
pub(super) struct DecidedAction {
    pub(super) verdict: ActionVerdict,
    /// The invocation as it stands now; `None` where none is written down.
    pub(super) record: Option<InvocationRecord>,
    /// The encrypted parameters of an invocation that is to be inserted; an approved one was moved already.
    sealed: Option<String>,
    /// The grant whose budget this call is taken from.
    pub(super) spent_grant: Option<GrantId>,
}

impl DecidedAction {
    /// The invocation to insert, if this call has a new one.
    pub(super) fn to_insert(&self) -> Option<NewInvocation> {
        let (record, sealed) = (self.record.as_ref()?, self.sealed.as_ref()?);
        let over = record.invocation.state.is_terminal();
        Some(NewInvocation {
            invocation: record.invocation.clone(),
            params: record.params.clone(),
            sealed_params: (!over).then(|| sealed.clone()),
        })
    }
}

/// Decides about an action. `is_allowed`: whether its lane allows it under `policy`.
pub(super) async fn decide_action(
    tx: &mut Tx,
    call: &MediatedCall,
    action: &ActionRequest,
    is_allowed: bool,
    policy: &Policy,
    now: Timestamp,
    counts: &mut BatchCounts,
) -> Result<DecidedAction> {
    let hold = lane_times(policy, call);
    let found = binding(action, policy.id());
    if let Some(approved) = &action.approved {
        return use_approval(tx, action, approved, is_allowed, (found, hold), now).await;
    }
    let session_id = session(call)?;
    let (verdict, state, grant) = if is_allowed {
        let (disposition, grant) = dispose_action(tx, call, action, hold, now, counts).await?;
        let verdict = match &disposition {
            Disposition::Execute(_) => ActionVerdict::Execute,
            Disposition::Hold { .. } => ActionVerdict::Hold,
            Disposition::DenyDanger => ActionVerdict::Deny(Refusal::Danger),
            Disposition::TooManyPending => ActionVerdict::TooManyHeld,
        };
        (verdict, disposition.begin(now), grant)
    } else {
        let state = InvocationState::Denied {
            at: now,
            by: DeniedBy::Platform(Refusal::Policy),
            reason: None,
        };
        (
            ActionVerdict::Deny(Refusal::Policy),
            Some(state),
            GrantLookup::default(),
        )
    };
    let invocation = |state| Invocation {
        suspended: grant.suspended,
        ..new_invocation(call, action, session_id, found, state, now)
    };
    Ok(DecidedAction {
        verdict,
        record: state.map(|state| record(action, invocation(state))),
        sealed: Some(action.sealed.clone()),
        spent_grant: grant.spent,
    })
}

/// Uses an approval, if it is for what was found. The invocation is moved here, so that an approval is used once.
async fn use_approval(
    tx: &mut Tx,
    action: &ActionRequest,
    approved: &Invocation,
    is_allowed: bool,
    (found, hold): (Binding, ApprovalTimes),
    now: Timestamp,
) -> Result<DecidedAction> {
    let refusal = match (is_allowed, action.risk) {
        (false, _) => Some(Refusal::Policy),
        // The action became dangerous after it was approved.
        (true, Risk::Danger) => Some(Refusal::Danger),
        (true, _) => None,
    };
    let (after, verdict) = if let Some(refusal) = refusal {
        let state = approved.state.clone().refuse(refusal, now);
        let state = state.map_err(|error| Error::Conflict(error.to_string()))?;
        (with_state(approved, state), ActionVerdict::Deny(refusal))
    } else {
        // Only an approval of something else is asked for again.
        let hold = if approved.binding == found {
            hold.lane_time
        } else {
            let organization_id = &approved.organization_id;
            let limits = store::organization_limits_fetch(tx, organization_id).await?;
            hold.within(&limits)
        };
        match approved.clone().claim(found, hold, now) {
            Ok(Claim::Execute(after)) => (after, ActionVerdict::Execute),
            Ok(Claim::AskAgain { invocation, .. }) => (invocation, ActionVerdict::Hold),
            Err(error) => return Err(Error::Conflict(error.to_string())),
        }
    };
    let step = InvocationMove {
        before: approved.clone(),
        after: after.clone(),
        result: None,
    };
    if store::invocation_move_all(tx, &[step]).await?.is_empty() {
        return Err(Error::Conflict("it was decided meanwhile".to_owned()));
    }
    Ok(DecidedAction {
        verdict,
        record: Some(record(action, after)),
        sealed: None,
        spent_grant: None,
    })
}

/// The grant that was found for a call.
#[derive(Debug, Default)]
struct GrantLookup {
    /// The call was taken from its budget.
    spent: Option<GrantId>,
    /// It would allow the call if the action were still defined as it was.
    suspended: Option<SuspendedGrant>,
}

impl GrantLookup {
    fn spent(id: GrantId) -> Self {
        Self {
            spent: Some(id),
            suspended: None,
        }
    }
}

/// Applies the risk rules, and spends the grant that the call runs under. A grant whose last call was spent
/// meanwhile is left out, and the rules are applied again.
async fn dispose_action(
    tx: &mut Tx,
    call: &MediatedCall,
    action: &ActionRequest,
    hold: ApprovalTimes,
    now: Timestamp,
    counts: &mut BatchCounts,
) -> Result<(Disposition, GrantLookup)> {
    let (organization_id, session_id) = (&call.caller.organization_id, session(call)?);
    let mut grants: Vec<Grant> = match action.risk {
        Risk::Write => {
            let (integration, name) = (&action.integration, &action.action);
            store::grant_candidate_list(tx, organization_id, session_id, integration, name, now)
                .await?
        }
        Risk::Read | Risk::Danger => Vec::new(),
    };
    // Only a grant depends on them.
    let params = match action.risk {
        Risk::Write => Value::Object(call.parameters.clone()),
        Risk::Read | Risk::Danger => Value::Null,
    };
    let action_call = ActionCall {
        organization_id,
        session_id,
        integration: &action.integration,
        action: &action.action,
        params: &params,
    };
    let definition = definition(tx, call, action, !grants.is_empty()).await?;
    loop {
        let standing = Standing {
            // Counted only if the call would be held: most calls are not.
            pending: 0,
            grants: &grants,
            definition: &definition,
            hold: hold.lane_time,
            now,
        };
        match dispose(action.risk, &action_call, &standing) {
            Disposition::Execute(Authority::Grant(id)) => {
                if store::grant_spend(tx, organization_id, id, now).await? {
                    let authority = Authority::Grant(id);
                    return Ok((Disposition::Execute(authority), GrantLookup::spent(id)));
                }
                grants.retain(|grant| grant.id != id);
            }
            Disposition::Hold { .. } => {
                let found = store::invocation_hold_standing(tx, organization_id, session_id, now);
                let found = found.await?;
                let in_batch = counts.held.entry(session_id).or_default();
                let standing = Standing {
                    pending: found.pending.saturating_add(*in_batch),
                    hold: hold.within(&found.limits),
                    ..standing
                };
                let decided = dispose(action.risk, &action_call, &standing);
                if matches!(decided, Disposition::Hold { .. }) {
                    *in_batch += 1;
                }
                let held = GrantLookup {
                    suspended: suspended(&grants, &action_call, &definition, now),
                    ..GrantLookup::default()
                };
                return Ok((decided, held));
            }
            decided => return Ok((decided, GrantLookup::default())),
        }
    }
}

/// The definition of the action, as it is known in this transaction: what an admin accepts meanwhile, and a grant
/// that is made for it, counts for the next call. `has_grants`: whether a grant depends on it.
async fn definition(
    tx: &mut Tx,
    call: &MediatedCall,
    action: &ActionRequest,
    has_grants: bool,
) -> Result<CallDefinition> {
    if let Some(sha256) = action.built_in.clone() {
        return Ok(CallDefinition::BuiltIn { sha256 });
    }
    let standing = match action.integration.connector_id().filter(|_| has_grants) {
        None => None,
        Some(id) => {
            let organization_id = &call.caller.organization_id;
            store::connector_tool_standing(tx, organization_id, id, &action.action).await?
        }
    };
    Ok(CallDefinition::Tool {
        sha256: action.tool_sha256.clone(),
        standing: standing.map(|tool| tool.standing),
    })
}

fn record(action: &ActionRequest, invocation: Invocation) -> InvocationRecord {
    InvocationRecord {
        invocation,
        params: action.shown.clone(),
        result: None,
    }
}

fn new_invocation(
    call: &MediatedCall,
    action: &ActionRequest,
    session_id: SessionId,
    binding: Binding,
    state: InvocationState,
    now: Timestamp,
) -> Invocation {
    Invocation {
        id: action.id,
        organization_id: call.caller.organization_id.clone(),
        session_id,
        run_id: call.new_run_id,
        integration_id: action.integration_id,
        integration: action.integration.clone(),
        action: action.action.clone(),
        risk: action.risk,
        binding,
        suspended: None,
        created_at: now,
        state,
    }
}

fn binding(action: &ActionRequest, policy: &PolicyId) -> Binding {
    Binding {
        call: action.call_sha256.clone(),
        tool: action.tool_sha256.clone(),
        policy: policy.clone(),
    }
}

/// The session of an action, which always has one.
fn session(call: &MediatedCall) -> Result<SessionId> {
    call.session_id.ok_or(Error::NotFound("session"))
}

/// How long a lane lets an action wait for approval.
#[derive(Debug, Clone, Copy)]
struct ApprovalTimes {
    /// Where the organization chose no other.
    lane_time: Duration,
    lane_ceiling: Duration,
}

impl ApprovalTimes {
    /// With what the organization and the operator chose.
    fn within(self, limits: &OrganizationLimits) -> Duration {
        limits.approval_time(self.lane_time, self.lane_ceiling)
    }
}

/// The times of this call's lane.
fn lane_times(policy: &Policy, call: &MediatedCall) -> ApprovalTimes {
    let lane = call.request.lane_id.as_ref();
    let lane = lane.and_then(|lane| policy.snapshot().lane(lane));
    ApprovalTimes {
        lane_time: lane.map_or(PENDING_LIFE, Lane::approval_time),
        lane_ceiling: lane.map_or(PENDING_LIFE, Lane::approval_ceiling),
    }
}

impl ActionVerdict {
    /// The reason and the error of a denial.
    pub(super) fn denial(&self) -> Option<(&'static str, RunError)> {
        let refusal = match self {
            Self::Execute | Self::Hold => return None,
            Self::Deny(refusal) => refusal,
            Self::TooManyHeld => {
                let message = "too many actions of this session wait for a person";
                let error = RunError::new(RunErrorCode::PolicyDenied, message, true);
                return Some(("too_many_pending", error));
            }
        };
        let error = RunError::new(RunErrorCode::PolicyDenied, sentence(*refusal), false);
        Some((refusal.as_str(), error))
    }
}

pub(super) const fn sentence(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Danger => "the action is dangerous, and cannot be allowed",
        Refusal::Policy => "the policy does not allow it",
        Refusal::SessionEnded => "its session has ended",
    }
}

pub(super) fn with_state(invocation: &Invocation, state: InvocationState) -> Invocation {
    Invocation {
        state,
        ..invocation.clone()
    }
}

/// How an action ended.
#[derive(Debug)]
pub(super) enum ActionEnd {
    Completed(ResultRef),
    Failed {
        /// The integration's own words, redacted: for the record.
        error: RunError,
        effect: Effect,
        result: Option<ResultRef>,
    },
}

/// What is known about the effect of an action whose answer never came.
pub(super) const fn effect_without_answer(risk: Risk) -> Effect {
    match risk {
        Risk::Read => Effect::Known,
        Risk::Write | Risk::Danger => Effect::Unknown,
    }
}

/// The move of an invocation from executing to its end. `shown` is the redacted result.
pub(super) fn end_invocation(
    record: &InvocationRecord,
    end: ActionEnd,
    shown: Option<Value>,
    now: Timestamp,
) -> Result<InvocationMove> {
    let state = record.invocation.state.clone();
    let state = match end {
        ActionEnd::Completed(result) => state.complete(result, now),
        ActionEnd::Failed {
            error,
            effect,
            result,
        } => state.fail(error, effect, result, now),
    };
    let state = state.map_err(|error| Error::Conflict(error.to_string()))?;
    Ok(InvocationMove {
        before: record.invocation.clone(),
        after: with_state(&record.invocation, state),
        result: shown,
    })
}

/// Returns the record after a move for notices, which do not carry parameters.
pub(super) fn record_after(step: &InvocationMove) -> InvocationRecord {
    InvocationRecord {
        invocation: step.after.clone(),
        params: Value::Null,
        result: step.result.clone(),
    }
}
