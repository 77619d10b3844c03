//! Decides a batch of calls in one transaction, and writes the decisions down.

use std::{collections::HashSet, sync::Arc};

use domain::{
    clock::Timestamp,
    id::RunId,
    policy::{LockFacts, Permit, RuleId, ToolSpec, decide},
    run::{RunError, RunErrorCode, RunState},
};
use store::{Durability, NewAuditEvent, NewInvocation, NewRun, Tx};

use super::{
    call::MediatedCall,
    claim,
    decision::{Authorization, CallDecision},
    draft::{CallDenial, DecidedCall, LaneDecision, Policies, draft},
    facts::{self, FoundFacts},
    hold, messages,
    quota::{self, BatchCounts},
};
use crate::{
    context::App,
    error::{Error, Result},
    policy::Policy,
};

/// Decides the calls of a batch. `None` for a call that is decided in the next commit: its answer must outlive a
/// loss of power and this commit would not, or the same call is decided in this one.
pub(super) async fn decide_batch(
    app: &App,
    tx: &mut Tx,
    calls: &[&MediatedCall],
    durability: Durability,
    events: &mut Vec<NewAuditEvent>,
) -> Result<Vec<Option<CallDecision>>> {
    if calls.is_empty() {
        return Ok(Vec::new());
    }
    let decided = decide_all(app, tx, calls).await?;
    // A denial is an answer, and an answer that is given must not be forgotten.
    let is_postponed =
        |decided: &DecidedCall| durability == Durability::Process && decided.authorized.is_none();
    let rows: Vec<NewRun> = { decided.iter().flatten() }
        .filter(|decided| decided.earlier.is_none() && !is_postponed(decided))
        .map(|decided| NewRun {
            run: decided.run.clone(),
            key: decided.key.clone(),
        })
        .collect();
    let inserted: HashSet<RunId> = store::run_insert_all(tx, &rows)
        .await?
        .into_iter()
        .collect();
    let is_inserted = |decided: &&DecidedCall| inserted.contains(&decided.run.id);
    let invocations = decided.iter().flatten().filter(is_inserted);
    let invocations: Vec<NewInvocation> = invocations
        .filter_map(|decided| decided.action.as_ref()?.to_insert())
        .collect();
    store::invocation_insert_all(tx, &invocations).await?;
    let tool_invocations = decided.iter().flatten().filter(is_inserted);
    for row in tool_invocations.filter_map(|decided| decided.tool_invocation.as_ref()) {
        store::tool_invocation_insert(tx, row).await?;
    }
    let mut decisions = Vec::with_capacity(decided.len());
    for decided in decided {
        decisions.push(match decided {
            None => None,
            Some(decided) if decided.earlier.is_none() && is_postponed(&decided) => None,
            Some(decided) if inserted.contains(&decided.run.id) => {
                Some(decision_of(decided, events))
            }
            Some(decided) => Some(replay(tx, decided, events).await?),
        });
    }
    Ok(decisions)
}

/// Decides one call after the other: each sees what those before it in the batch use up. `None` for a call under
/// the same key as one before it: it uses nothing up once that one is written down.
async fn decide_all(
    app: &App,
    tx: &mut Tx,
    calls: &[&MediatedCall],
) -> Result<Vec<Option<DecidedCall>>> {
    let (now, mut decided) = (app.now(), Vec::with_capacity(calls.len()));
    let found = facts::gather(tx, calls, now).await?;
    let current = app.policy.current();
    let (mut counts, mut claimed) = (BatchCounts::default(), HashSet::new());
    for (call, found) in calls.iter().zip(found) {
        let claim = claim::spending_key(call).map(|key| (&call.caller.organization_id, key));
        if claim.as_ref().is_some_and(|claim| claimed.contains(claim)) {
            decided.push(None);
            continue;
        }
        let one = decide_one(app, tx, call, found, &current, now, &mut counts).await?;
        let claims = one.key.is_some() && one.earlier.is_none();
        claimed.extend(claim.filter(|_| claims));
        decided.push(Some(one));
    }
    Ok(decided)
}

/// The decision steps of one call, in their order.
async fn decide_one(
    app: &App,
    tx: &mut Tx,
    call: &MediatedCall,
    mut found: FoundFacts,
    current: &Arc<Policy>,
    now: Timestamp,
    counts: &mut BatchCounts,
) -> Result<DecidedCall> {
    let pinned = match found.pins(call, current) {
        Some(id) => app.policy.find_pinned(tx, &id).await?,
        None => None,
    };
    let policies = Policies {
        pinned: pinned.as_ref(),
        current,
    };
    // Once: the run that was prepared for the call, and the call that was made before under its key.
    let taken = claim::take_prepared_run(tx, call, &mut found).await?;
    let earlier = claim::find_earlier(tx, call).await?;
    found.earlier = earlier.as_ref().map(|run| run.id);
    // May it: the lane.
    let lane = check_lane(app, call, &found, policies, now);
    // Risk: a grant, or approval. No approval is asked for twice, and no grant is spent on a replay.
    let is_allowed = lane.is_ok();
    let action = match call.kind.action().filter(|_| earlier.is_none()) {
        Some(action) => {
            let policy = policies.deciding();
            Some(hold::decide_action(tx, call, action, is_allowed, policy, now, counts).await?)
        }
        None => None,
    };
    // How much: the quota of the session.
    let over_quota = if earlier.is_none() && is_allowed {
        quota::check_session_quota(tx, call, now, counts).await?
    } else {
        None
    };
    let lane = LaneDecision {
        lane,
        action,
        over_quota,
    };
    let mut decided = draft(app, call, &found, taken, lane, policies, now)?;
    decided.earlier = earlier.filter(|_| decided.key.is_some());
    Ok(decided)
}

/// Whether the lane allows the call, under the pinned policy and under the one in force.
fn check_lane(
    app: &App,
    call: &MediatedCall,
    found: &FoundFacts,
    policies: Policies<'_>,
    now: Timestamp,
) -> std::result::Result<(Permit, Arc<ToolSpec>, Arc<Policy>), CallDenial> {
    let pinned = policies.pinned.map(AsRef::as_ref);
    let mut facts = found.facts(call, pinned, policies.current, now);
    if app.safety_lock {
        facts.lock = LockFacts::Installation;
    }
    let policy = policies.deciding();
    let permit = decide(
        policy.snapshot(),
        policies.current.snapshot(),
        &call.caller.principal,
        &call.request,
        &facts,
    );
    let permit = permit.map_err(|denial| CallDenial::by_rule(denial.rule))?;
    match policy.tool(&call.request.operation).cloned() {
        None => Err(CallDenial::by_rule(RuleId::ToolUnknown)),
        Some(spec) if !found.inputs_are_accepted(&spec) => {
            let message = messages::INPUT_NOT_ACCEPTED;
            Err(CallDenial {
                rule: None,
                reason: "input_not_accepted",
                error: RunError::new(RunErrorCode::InvalidRequest, message, false),
            })
        }
        Some(spec) => Ok((permit, spec, Arc::clone(policy))),
    }
}

/// The decision about a call whose run was inserted.
fn decision_of(decided: DecidedCall, events: &mut Vec<NewAuditEvent>) -> CallDecision {
    events.extend(decided.events);
    let run = decided.run;
    let invocation = decided.action.and_then(|action| action.record);
    match (decided.authorized, invocation.map(Box::new)) {
        (Some((permit, spec, policy)), invocation) => {
            CallDecision::Allowed(Box::new(Authorization {
                permit,
                run,
                spec,
                policy,
                inputs: decided.inputs,
                invocation,
            }))
        }
        (None, Some(invocation)) if run.state == RunState::Created => {
            CallDecision::Held(Box::new(run), invocation)
        }
        (None, invocation) => CallDecision::Denied(Box::new(run), invocation),
    }
}

/// The decision about a call whose key is taken: by the same call, or by another.
async fn replay(
    tx: &mut Tx,
    decided: DecidedCall,
    events: &mut Vec<NewAuditEvent>,
) -> Result<CallDecision> {
    let Some((scope, key)) = decided.key else {
        return Err(Error::Conflict("a run with this id exists".to_owned()));
    };
    let organization_id = &decided.run.organization_id;
    if let Some(grant_id) = decided.action.and_then(|action| action.spent_grant) {
        // It was spent on a call that is not made.
        store::grant_give_back(tx, organization_id, grant_id).await?;
    }
    let first = match decided.earlier {
        Some(first) => Some(first),
        None => store::run_fetch_by_key(tx, organization_id, &scope, &key).await?,
    };
    match first {
        Some(first) if first.request_sha256 == decided.run.request_sha256 => {
            Ok(CallDecision::Replayed(Box::new(first)))
        }
        _ => {
            events.extend(decided.conflict_events);
            Ok(CallDecision::KeyConflict)
        }
    }
}
