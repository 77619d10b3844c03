//! Deciding a batch of calls and writing down what was decided.

use std::{collections::HashSet, sync::Arc};

use domain::{
    audit::Outcome,
    clock::Timestamp,
    id::RunId,
    limits::RUN_DEADLINE_GRACE,
    policy::{LockFacts, Permit, RuleId, ScopeKey, ToolSpec, decide},
    run::{InvalidRunTransition, Run, RunActor, RunError, RunErrorCode, RunState, RunTarget},
};
use serde_json::Map;
use store::{
    Durability, InputFact, NewAuditEvent, NewInvocation, NewRun, NewToolInvocation, RunTaken, Tx,
};

use super::{
    answer,
    ask::{Added, Asked, Next, settle},
    attempt::Request,
    callback,
    commit::{Acting, Admitted, Begun, Done},
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
    /// For an action: who is asked, and what is written down of it.
    asked: Option<Asked>,
    /// For a tool of a sandbox: what is written down of it.
    callback: Option<NewToolInvocation>,
    inputs: Vec<InputFact>,
    key: Option<(String, String)>,
    /// The call that was begun before under the key.
    earlier: Option<Run>,
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
    let decided = decide_all(app, tx, requests).await?;
    // A denial is an answer, and an answer that is given must not be forgotten.
    let waits = |decided: &Decided| durability == Durability::Process && decided.permit.is_none();
    let rows: Vec<NewRun> = { decided.iter().flatten() }
        .filter(|decided| decided.earlier.is_none() && !waits(decided))
        .map(|decided| NewRun {
            run: decided.run.clone(),
            key: decided.key.clone(),
        })
        .collect();
    let inserted: HashSet<RunId> = tx.run_insert_all(&rows).await?.into_iter().collect();
    let of_inserted = |decided: &&Decided| inserted.contains(&decided.run.id);
    let invocations = decided.iter().flatten().filter(of_inserted);
    let invocations: Vec<NewInvocation> = invocations
        .filter_map(|decided| decided.asked.as_ref()?.to_insert())
        .collect();
    tx.invocation_insert_all(&invocations).await?;
    let callbacks = decided.iter().flatten().filter(of_inserted);
    for callback in callbacks.filter_map(|decided| decided.callback.as_ref()) {
        tx.tool_invocation_insert(callback).await?;
    }
    let mut done = Vec::with_capacity(decided.len());
    for decided in decided {
        done.push(match decided {
            None => Done::Again,
            Some(decided) if decided.earlier.is_none() && waits(&decided) => Done::Again,
            Some(decided) if inserted.contains(&decided.run.id) => {
                Done::Begun(begun(decided, events))
            }
            Some(decided) => Done::Begun(repeated(tx, decided, events).await?),
        });
    }
    Ok(done)
}

/// Decides one call after the other: each sees what those before it in the batch take up. `None` for one that begins
/// under the same key as one of them: it costs nothing once that one is written down.
async fn decide_all(app: &App, tx: &mut Tx, requests: &[&Request]) -> Result<Vec<Option<Decided>>> {
    let (now, mut decided) = (app.now(), Vec::with_capacity(requests.len()));
    let found = facts::gather(tx, requests, now).await?;
    let current = app.policy.current();
    let (mut added, mut claimed) = (Added::default(), HashSet::new());
    for (request, mut found) in requests.iter().zip(found) {
        let claim = spending_key(request).map(|key| (&request.organization_id, key));
        if claim.as_ref().is_some_and(|claim| claimed.contains(claim)) {
            decided.push(None);
            continue;
        }
        let pinned = match found.pins(request, &current) {
            Some(id) => stored::pinned(&app.policy, tx, &id).await?,
            None => None,
        };
        let taken = take_prepared(tx, request, &mut found).await?;
        let policies = (pinned.as_ref(), &current);
        let earlier = earlier(tx, request).await?;
        found.earlier = earlier.as_ref().map(|run| run.id);
        let judged = judge(app, request, &found, policies, now);
        let asked = match &request.ask {
            // Nobody is asked twice, and no grant is spent on an answer that is there.
            Some(ask) if earlier.is_none() => {
                let policy = pinned.as_ref().unwrap_or(&current);
                let permitted = judged.is_ok();
                Some(settle(tx, request, ask, permitted, policy, now, &mut added).await?)
            }
            _ => None,
        };
        let over = match &request.callback {
            Some(callback) if earlier.is_none() && judged.is_ok() => {
                callback::refused(tx, request, callback, now, &mut added).await?
            }
            _ => None,
        };
        let judged = (judged, asked, over);
        let mut call = write_up(app, request, &found, taken, judged, policies, now)?;
        call.earlier = earlier.filter(|_| call.key.is_some());
        let claims = call.key.is_some() && call.earlier.is_none();
        claimed.extend(claim.filter(|_| claims));
        decided.push(Some(call));
    }
    Ok(decided)
}

fn begun(decided: Decided, events: &mut Vec<NewAuditEvent>) -> Begun {
    events.extend(decided.events);
    let run = decided.run;
    let record = decided.asked.and_then(|asked| asked.record).map(Box::new);
    match (decided.permit, record) {
        (Some((permit, spec, policy)), record) => Begun::Permitted(Box::new(Admitted {
            run,
            permit,
            spec,
            policy,
            parameters: Map::new(),
            client_session_id: None,
            override_ticket_id: None,
            inputs: decided.inputs,
            acting: match record {
                Some(record) => Acting::Action(record, None),
                None if decided.callback.is_some() => Acting::Callback(None),
                None => Acting::Tool,
            },
            capacity: None,
        })),
        (None, Some(record)) if run.state == RunState::Created => Begun::Held(record),
        (None, record) => Begun::Denied(Box::new(run), record),
    }
}

/// The key was taken: by the same call, or by another.
async fn repeated(tx: &mut Tx, decided: Decided, events: &mut Vec<NewAuditEvent>) -> Result<Begun> {
    let Some((scope, key)) = decided.key else {
        return Err(Error::Conflict("a run with this id exists".to_owned()));
    };
    let organization_id = &decided.run.organization_id;
    if let Some(grant_id) = decided.asked.and_then(|asked| asked.spent) {
        // It was spent on a call that is not made.
        tx.grant_give_back(organization_id, grant_id).await?;
    }
    let first = match decided.earlier {
        Some(first) => Some(first),
        None => tx.run_fetch_by_key(organization_id, &scope, &key).await?,
    };
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

/// The call that was begun under the same key, where something would be spent on this one. Others find out when they
/// are written down.
async fn earlier(tx: &mut Tx, request: &Request) -> Result<Option<Run>> {
    let Some((scope, key)) = spending_key(request) else {
        return Ok(None);
    };
    let found = tx.run_fetch_by_key(&request.organization_id, &scope, key);
    Ok(found.await?)
}

/// The key of a call on which something is spent: a grant, a person's time, a quota, a ticket.
fn spending_key(request: &Request) -> Option<(String, &str)> {
    let ticket = ScopeKey::OverrideTicketId;
    let brings_ticket = request.call.scope.contains_key(&ticket);
    let costs = request.ask.is_some() || request.callback.is_some() || brings_ticket;
    let key = request.key.as_deref().filter(|_| costs)?;
    Some((key_scope(request), key))
}

/// A run that was made beforehand can be used once: by whoever takes it.
async fn take_prepared(
    tx: &mut Tx,
    request: &Request,
    found: &mut Found,
) -> Result<Option<RunTaken>> {
    let Some(id) = request.run_id.filter(|_| found.prepared_usable(request)) else {
        return Ok(None);
    };
    let taken = tx.run_take(id).await?;
    if taken.is_none() {
        found.prepared = None;
    }
    Ok(taken)
}

type Judged = std::result::Result<(Permit, Arc<ToolSpec>, Arc<Policy>), Refusal>;

/// Whether the call may be made at all.
fn judge(
    app: &App,
    request: &Request,
    found: &Found,
    (pinned, current): (Option<&Arc<Policy>>, &Arc<Policy>),
    now: Timestamp,
) -> Judged {
    let mut facts = found.facts(request, pinned.map(AsRef::as_ref), current, now);
    if app.safety_lock {
        facts.lock = LockFacts::Installation;
    }
    let policy = pinned.unwrap_or(current);
    let (call, principal) = (&request.call, &request.principal);
    let permit = decide(
        policy.snapshot(),
        current.snapshot(),
        principal,
        call,
        &facts,
    );
    let permit = permit.map_err(|denial| {
        let message = messages::denied(denial.rule);
        let error = RunError::new(RunErrorCode::PolicyDenied, message, false);
        (Some(denial.rule), denial.rule.as_str(), error)
    })?;
    match policy.tool(&call.operation).cloned() {
        None => Err(unknown_tool()),
        Some(spec) if !accepted(&spec, found) => {
            let message = "the tool does not take inputs of this media type";
            let error = RunError::new(RunErrorCode::InvalidRequest, message, false);
            Err((None, "input_not_accepted", error))
        }
        Some(spec) => Ok((permit, spec, Arc::clone(policy))),
    }
}

/// What is written down of a call, and what is told about it.
fn write_up(
    app: &App,
    request: &Request,
    found: &Found,
    taken: Option<RunTaken>,
    (judged, asked, over): (Judged, Option<Asked>, Option<(&'static str, RunError)>),
    (pinned, current): (Option<&Arc<Policy>>, &Arc<Policy>),
    now: Timestamp,
) -> Result<Decided> {
    let policy = pinned.unwrap_or(current);
    let spec = policy.tool(&request.call.operation).cloned();
    let mut run = new_run(request, found, spec.as_deref(), now);
    let mut key = None;
    if let Some(taken) = taken {
        run.created_at = taken.created_at;
        key = taken.key;
    }
    let next = asked.as_ref().map(|asked| &asked.next);
    let held = matches!(next, Some(Next::Hold));
    let (permit, refusal) = match (judged, over.or_else(|| next.and_then(Next::refusal))) {
        (Err(refusal), _) => (None, Some(refusal)),
        (Ok(_), Some((reason, error))) => (None, Some((None, reason, error))),
        (Ok(_), None) if held => (None, None),
        (Ok(permitted), None) => (Some(permitted), None),
    };
    let state = std::mem::replace(&mut run.state, RunState::Created);
    if let Some((_, spec, policy)) = &permit {
        let deadline = now.plus(spec.timeout).plus(RUN_DEADLINE_GRACE);
        run.state = moved(state.start(now, policy.id().clone(), Some(deadline)))?;
    } else if let Some((_, reason, error)) = &refusal {
        run.state = moved(state.deny(now, error.clone()))?;
        run.reason = Some((*reason).to_owned());
        run.response_sha256 = Some(answer::digest(&run, &run.state, &[]));
    }
    // Only a call that may be made, or may yet be, claims its key: nobody can spoil the keys of a case by
    // being denied in it.
    if key.is_none() && refusal.is_none() {
        key = request.key.clone().map(|key| (key_scope(request), key));
    }
    let story = Story {
        app,
        run: &run,
        agent_name: request.agent_name.as_ref(),
        pinned: policy,
        current,
        at: now,
    };
    let (events, conflict) = tell(&story, refusal.as_ref(), held, key.is_some())?;
    let inputs = found.inputs.iter().flatten().cloned().collect();
    let callback = request.callback.as_ref().filter(|_| permit.is_some());
    let callback = callback.and_then(|callback| callback::begun(request, callback, &run));
    Ok(Decided {
        run,
        permit,
        asked,
        callback,
        inputs,
        key,
        earlier: None,
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
    held: bool,
    keyed: bool,
) -> Result<(Vec<NewAuditEvent>, Vec<NewAuditEvent>)> {
    let action = kind::action(story.run.kind);
    let refused = |rule, reason, error: &RunError| -> Result<Vec<NewAuditEvent>> {
        let outcome = match error.code {
            RunErrorCode::PolicyDenied => Outcome::Deny,
            _ => Outcome::Failure,
        };
        Ok(vec![
            story.decision(rule, Some(reason))?,
            story.result(action, outcome, Some(reason), Some(error))?,
        ])
    };
    if let Some((rule, reason, error)) = refusal {
        return Ok((refused(*rule, reason, error)?, Vec::new()));
    }
    let conflict = if keyed {
        let message = "the idempotency key was used for another call";
        let error = RunError::new(RunErrorCode::InvalidRequest, message, false);
        refused(Some(RuleId::RunInvalid), "idempotency_conflict", &error)?
    } else {
        Vec::new()
    };
    let reason = held.then_some("approval_required");
    Ok((vec![story.decision(None, reason)?], conflict))
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
            tool_name: request.target_name(),
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
