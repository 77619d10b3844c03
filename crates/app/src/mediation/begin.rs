//! Deciding a batch of calls and writing down what was decided.

use std::{collections::HashSet, sync::Arc};

use domain::{
    audit::Outcome,
    clock::Timestamp,
    id::RunId,
    limits::RUN_DEADLINE_GRACE,
    policy::{Permit, PolicyId, RuleId, ToolSpec, decide},
    run::{InvalidRunTransition, Run, RunActor, RunError, RunErrorCode, RunState, RunTarget},
};
use serde_json::Map;
use store::{Durability, InputFact, NewAuditEvent, NewRun, Tx};

use super::{
    answer,
    attempt::Request,
    commit::{Admitted, Begun, Done},
    events::Story,
    facts::{self, Found},
    kind, messages,
};
use crate::{
    context::App,
    error::{Error, Result},
    policy::{Policy, stored},
};

/// A decided call on its way into the tables.
struct Decided {
    run: Run,
    permit: Option<(Permit, Arc<ToolSpec>, Arc<Policy>)>,
    inputs: Vec<InputFact>,
    key: Option<(String, String)>,
    events: Vec<NewAuditEvent>,
    /// What is recorded instead if the key belongs to another call.
    conflict: Vec<NewAuditEvent>,
}

pub(super) async fn begin_all(
    app: &App,
    tx: &mut Tx,
    requests: &[&Request],
    durability: Durability,
    events: &mut Vec<NewAuditEvent>,
) -> Result<Vec<Done>> {
    if requests.is_empty() {
        return Ok(Vec::new());
    }
    let found = facts::gather(tx, requests).await?;
    let current = app.policy.current();
    let (now, mut decided) = (app.now(), Vec::with_capacity(requests.len()));
    for (request, mut found) in requests.iter().zip(found) {
        let pins = found
            .parent
            .as_ref()
            .and_then(|run| run.policy_id.as_deref());
        let pinned = match pins.and_then(PolicyId::parse) {
            Some(id) => stored::pinned(&app.policy, tx, &id).await?,
            None => None,
        };
        take_prepared(tx, request, &mut found).await?;
        let policies = (pinned.as_ref(), &current);
        decided.push(decide_one(app, request, &found, policies, now)?);
    }
    // A denial is an answer, and an answer that is given must not be forgotten.
    let waits = |decided: &Decided| durability == Durability::Process && decided.permit.is_none();
    let rows: Vec<NewRun> = decided
        .iter()
        .filter(|decided| !waits(decided))
        .map(|decided| NewRun {
            run: decided.run.clone(),
            key: decided.key.clone(),
        })
        .collect();
    let inserted: HashSet<RunId> = tx.run_insert_all(&rows).await?.into_iter().collect();
    let mut done = Vec::with_capacity(decided.len());
    for decided in decided {
        if waits(&decided) {
            done.push(Done::Again);
        } else if inserted.contains(&decided.run.id) {
            events.extend(decided.events);
            let run = decided.run;
            done.push(Done::Begun(match decided.permit {
                None => Begun::Denied(Box::new(run)),
                Some((permit, spec, policy)) => Begun::Permitted(Box::new(Admitted {
                    run,
                    permit,
                    spec,
                    policy,
                    parameters: Map::new(),
                    client_session_id: None,
                    inputs: decided.inputs,
                })),
            }));
        } else {
            done.push(Done::Begun(repeated(tx, decided, events).await?));
        }
    }
    Ok(done)
}

/// The key was taken: by the same call, or by another.
async fn repeated(tx: &mut Tx, decided: Decided, events: &mut Vec<NewAuditEvent>) -> Result<Begun> {
    let Some((scope, key)) = decided.key else {
        return Err(Error::Conflict("a run with this id exists".to_owned()));
    };
    let organization_id = &decided.run.organization_id;
    let first = tx.run_fetch_by_key(organization_id, &scope, &key).await?;
    match first {
        Some(first) if first.request_sha256 == decided.run.request_sha256 => {
            Ok(Begun::Repeated(Box::new(first)))
        }
        _ => {
            events.extend(decided.conflict);
            Ok(Begun::KeyConflict)
        }
    }
}

/// A run that was made beforehand can be used once: by whoever takes it.
async fn take_prepared(tx: &mut Tx, request: &Request, found: &mut Found) -> Result<()> {
    if let Some(id) = request.run_id
        && found.prepared_usable(request)
        && !tx.run_take(id).await?
    {
        found.prepared = None;
    }
    Ok(())
}

fn decide_one(
    app: &App,
    request: &Request,
    found: &Found,
    (pinned, current): (Option<&Arc<Policy>>, &Arc<Policy>),
    now: Timestamp,
) -> Result<Decided> {
    let facts = found.facts(request, pinned.map(AsRef::as_ref), current, app.safety_lock);
    let policy = pinned.unwrap_or(current);
    let (call, principal) = (&request.call, &request.principal);
    let decision = decide(
        policy.snapshot(),
        current.snapshot(),
        principal,
        call,
        &facts,
    );
    let spec = policy.tool(&call.operation).cloned();
    let mut run = new_run(request, found, spec.as_deref(), now);
    let (permit, refusal) = match (decision, spec) {
        (Err(denial), _) => {
            let message = messages::denied(denial.rule);
            let error = RunError::new(RunErrorCode::PolicyDenied, message, false);
            (None, Some((Some(denial.rule), denial.rule.as_str(), error)))
        }
        (Ok(_), None) => (None, Some(unknown_tool())),
        (Ok(_), Some(spec)) if !accepted(&spec, found) => {
            let message = "the tool does not take inputs of this media type";
            let error = RunError::new(RunErrorCode::InvalidRequest, message, false);
            (None, Some((None, "input_not_accepted", error)))
        }
        (Ok(permit), Some(spec)) => (Some((permit, spec, Arc::clone(policy))), None),
    };
    let state = std::mem::replace(&mut run.state, RunState::Created);
    let key = match (&permit, &refusal) {
        (Some((_, spec, policy)), _) => {
            let deadline = now.plus(spec.timeout).plus(RUN_DEADLINE_GRACE);
            run.state = moved(state.start(now, policy.id().clone(), Some(deadline)))?;
            // Only a call that may be made claims its key: nobody can spoil the keys of a case by
            // being denied in it.
            request.key.clone().map(|key| (key_scope(request), key))
        }
        (None, Some((_, reason, error))) => {
            run.state = moved(state.deny(now, error.clone()))?;
            run.reason = Some((*reason).to_owned());
            run.response_sha256 = Some(answer::digest(&run, &run.state, &[]));
            None
        }
        (None, None) => None,
    };
    let story = Story {
        app,
        run: &run,
        agent_name: request.agent_name.as_ref(),
        pinned: policy,
        current,
        at: now,
    };
    let (events, conflict) = tell(&story, refusal.as_ref(), key.is_some())?;
    let inputs = found.inputs.iter().flatten().cloned().collect();
    Ok(Decided {
        run,
        permit,
        inputs,
        key,
        events,
        conflict,
    })
}

type Refusal = (Option<RuleId>, &'static str, RunError);

fn unknown_tool() -> Refusal {
    let message = messages::denied(RuleId::ToolUnknown);
    let error = RunError::new(RunErrorCode::PolicyDenied, message, false);
    (Some(RuleId::ToolUnknown), "tool_unknown", error)
}

/// The events of what was decided, and those of the conflict it would be under a key that is taken.
fn tell(
    story: &Story<'_>,
    refusal: Option<&Refusal>,
    keyed: bool,
) -> Result<(Vec<NewAuditEvent>, Vec<NewAuditEvent>)> {
    let action = kind::action(story.run.kind);
    let refused = |rule, reason, error: &RunError| -> Result<Vec<NewAuditEvent>> {
        let outcome = match error.code {
            RunErrorCode::PolicyDenied => Outcome::Deny,
            _ => Outcome::Failure,
        };
        Ok(vec![
            story.decision(Some(rule))?,
            story.result(action, outcome, Some(reason), Some(error))?,
        ])
    };
    if let Some((rule, reason, error)) = refusal {
        let rule = rule.unwrap_or(RuleId::OperationNotAllowed);
        return Ok((refused(rule, reason, error)?, Vec::new()));
    }
    let conflict = if keyed {
        let message = "the idempotency key was used for another call";
        let error = RunError::new(RunErrorCode::InvalidRequest, message, false);
        refused(RuleId::RunInvalid, "idempotency_conflict", &error)?
    } else {
        Vec::new()
    };
    Ok((vec![story.decision(None)?], conflict))
}

/// A key means something within the case or session, and for the actor, it was used in.
fn key_scope(request: &Request) -> String {
    let place = match (&request.call.case_id, request.session_id) {
        (Some(case_id), _) => format!("case:{case_id}"),
        (None, Some(session_id)) => format!("session:{session_id}"),
        (None, None) => "organization".to_owned(),
    };
    let principal = &request.principal;
    format!("{place}/{}:{}", principal.class, principal.actor_id)
}

fn accepted(spec: &ToolSpec, found: &Found) -> bool {
    let mut inputs = found.inputs.iter().flatten();
    inputs.all(|input| {
        spec.accepts
            .iter()
            .any(|media| media.as_str() == input.media_type)
    })
}

fn new_run(request: &Request, found: &Found, spec: Option<&ToolSpec>, now: Timestamp) -> Run {
    let id = match (&found.prepared, request.run_id) {
        (Some(_), Some(id)) if found.prepared_usable(request) => id,
        _ => request.new_run_id,
    };
    let call = &request.call;
    Run {
        id,
        organization_id: request.organization_id.clone(),
        kind: kind::of(&call.operation),
        root_id: found.parent.as_ref().map_or(id, |parent| parent.root_id),
        parent_id: found.parent.as_ref().map(|parent| parent.id),
        case_id: call.case_id.clone(),
        session_id: request.session_id,
        actor: RunActor {
            class: request.principal.class,
            id: request.principal.actor_id.clone(),
            role: request.principal.role.clone(),
        },
        target: Some(RunTarget {
            lane: call.lane_id.clone(),
            tool_name: call.tool_name.clone(),
            operation: call.operation.clone(),
            version: spec.map(|spec| spec.version.clone()),
        }),
        correlation_id: request
            .correlation_id
            .as_ref()
            .map(|id| id.as_str().to_owned()),
        request_sha256: Some(request.sha256.clone()),
        created_at: now,
        state: RunState::Created,
        reason: None,
        inputs: request
            .inputs
            .iter()
            .map(|(_, digest)| digest.clone())
            .collect(),
        outputs: Vec::new(),
        response_sha256: None,
    }
}

/// A new run takes its first step; it cannot fail.
fn moved(moved: std::result::Result<RunState, InvalidRunTransition>) -> Result<RunState> {
    moved.map_err(|error| Error::Conflict(error.to_string()))
}
