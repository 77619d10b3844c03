//! An admin approves or denies an action that is held.
//!
//! INVARIANT: an approval names the digest of the call that was on the screen, with the definition of the tool and the
//! policy that it was asked under, and approves no other. What is executed is what `open.rs` shows: both come from the
//! same sealed form, which has to match that digest.

use std::{num::NonZeroU32, time::Duration};

use domain::{
    action::{
        ActionCall, ApprovalMode, Grant, GrantDraft, GrantScopeKind, InvalidMove, Invocation,
        InvocationState,
    },
    audit::{SafeText, Sha256Hex},
    caller::Caller,
    id::{GrantId, InvocationId, SessionId, UserId},
};
use serde_json::Value;
use store::{InvocationMove, InvocationRecord};

use super::{
    invoke::{self, InvocationRequest},
    list, open, target,
};
use crate::{
    access::Admin,
    audit,
    context::App,
    error::{Error, Result},
    grants,
    mediation::{
        self,
        call::{ActionRequest, MediatedCall},
        identify::CallerIdentity,
    },
    notices,
};

/// An approval.
#[derive(Debug, Clone)]
pub struct ActionApproval {
    /// Scope and calls of the grant that is made with it, if one is.
    pub grant: Option<(GrantScopeKind, Option<NonZeroU32>)>,
    /// The digest of the call that was on the screen. If another call waits, or this one was requested again since,
    /// nothing is approved.
    pub call_sha256: Sha256Hex,
}

/// A denial.
#[derive(Debug, Clone, Default)]
pub struct ActionDenial {
    /// For the agent.
    pub reason: Option<String>,
    /// The digest of the call that was on the screen, if one is named. If another call waits, nothing is denied.
    pub call_sha256: Option<Sha256Hex>,
}

/// The invocation after its approval, with its result.
#[derive(Debug)]
pub struct ApprovalResult {
    pub record: Box<InvocationRecord>,
    pub result: Option<Value>,
    pub grant: Option<Grant>,
}

/// Approves a held call, and executes it. A grant is made with the approval or not at all.
pub async fn approve(
    app: &App,
    caller: &Caller,
    session_id: Option<SessionId>,
    id: InvocationId,
    approve: ActionApproval,
    wait: Duration,
) -> Result<ApprovalResult> {
    let admin = Admin::of(caller)?;
    let record = list::fetch_raw(app, caller, session_id, id).await?;
    let before = record.invocation;
    check_seen(&before, &approve.call_sha256)?;
    let grant_id = GrantId::generate(app.now(), &*app.entropy);
    let mode = match approve.grant {
        None => ApprovalMode::Once,
        Some(_) => ApprovalMode::Grant(grant_id),
    };
    let user = admin.user_id().clone();
    let state = before.state.clone();
    let state = state
        .approve(user.clone(), mode, app.now())
        .map_err(refused)?;
    // What would run is looked up before the approval is written down.
    let call = prepare(app, &before, state.clone()).await?;
    let grant = match approve.grant {
        None => None,
        Some(terms) => {
            let action = call.kind.action().ok_or(Error::NotFound("action"))?;
            Some(grant_like(app, &before, action, terms, (grant_id, user)).await?)
        }
    };
    let after = Invocation {
        state,
        ..before.clone()
    };
    let record = InvocationRecord {
        invocation: after,
        params: record.params,
        result: None,
    };
    if !write_approval(app, &admin, before, record, grant.as_ref()).await? {
        return Err(late_decision_error(app, caller, session_id, id).await?);
    }
    let outcome = mediation::run(app, call, wait).await?;
    let record = match outcome.invocation {
        Some(record) => record,
        None => Box::new(list::fetch(app, caller, session_id, id).await?),
    };
    let result = outcome.result;
    Ok(ApprovalResult {
        record,
        result,
        grant,
    })
}

/// The grant that comes with an approval: for calls like this one, of the action as it was looked at.
async fn grant_like(
    app: &App,
    approved: &Invocation,
    found: &ActionRequest,
    (scope, max_calls): (GrantScopeKind, Option<NonZeroU32>),
    (id, by): (GrantId, UserId),
) -> Result<Grant> {
    let basis = grants::basis_of_approved(app, approved, found).await?;
    let params = Value::Null;
    let draft = GrantDraft::like(&call_of(approved, &params), scope, max_calls);
    let organization_id = approved.organization_id.clone();
    Ok(draft.into_grant(id, organization_id, (by, basis), app.now()))
}

/// Stores an approval, with the grant that comes with it. `false` if another admin decided first.
async fn write_approval(
    app: &App,
    admin: &Admin,
    before: Invocation,
    approved: InvocationRecord,
    grant: Option<&Grant>,
) -> Result<bool> {
    let (id, asked) = (before.id.uuid(), before.binding.sha256());
    let step = InvocationMove {
        before,
        after: approved.invocation.clone(),
        result: None,
    };
    let mut tx = app.db.write().await?;
    if store::invocation_move_all(&mut tx, &[step])
        .await?
        .is_empty()
    {
        return Ok(false);
    }
    if let Some(grant) = grant {
        store::grant_insert(&mut tx, grant).await?;
        audit::record_operation(&mut tx, app, admin, "grant_create", Some(grant.id.uuid())).await?;
    }
    audit::record_operation_about(&mut tx, app, admin, ("action_approve", id), asked).await?;
    notices::commit(app, tx, Some(approved)).await?;
    Ok(true)
}

/// Denies a held call.
pub async fn deny(
    app: &App,
    caller: &Caller,
    session_id: Option<SessionId>,
    id: InvocationId,
    deny: ActionDenial,
) -> Result<InvocationRecord> {
    let admin = Admin::of(caller)?;
    let record = list::fetch_raw(app, caller, session_id, id).await?;
    let before = record.invocation;
    if let Some(seen) = &deny.call_sha256 {
        check_seen(&before, seen)?;
    }
    let user = admin.user_id().clone();
    let state = before.state.clone();
    let reason = deny.reason.as_deref();
    let state = state.deny(user, reason, app.now()).map_err(refused)?;
    let mut tx = app.db.write().await?;
    if !mediation::end_held(app, &mut tx, &before, state.clone()).await? {
        drop(tx);
        return Err(late_decision_error(app, caller, session_id, id).await?);
    }
    let asked = before.binding.sha256();
    audit::record_operation_about(&mut tx, app, &admin, ("action_deny", id.uuid()), asked).await?;
    let record = InvocationRecord {
        invocation: Invocation { state, ..before },
        params: record.params,
        result: None,
    };
    notices::commit(app, tx, Some(record.clone())).await?;
    Ok(record)
}

/// The call as it was requested, by its first caller, with the approval that it will use.
async fn prepare(app: &App, before: &Invocation, state: InvocationState) -> Result<MediatedCall> {
    let (organization_id, session_id) = (&before.organization_id, before.session_id);
    let run = {
        let mut conn = app.db.read().await?;
        store::run_fetch(&mut conn, organization_id, before.run_id).await?
    };
    let run = run.ok_or(Error::NotFound("run"))?;
    let params = open::unseal(app, before).await?;
    let correlation = run.correlation_id.as_deref();
    let correlation = correlation.map(|id| SafeText::new("correlation_id", id));
    let invoke = InvocationRequest {
        integration: before.integration.clone(),
        action: before.action.clone(),
        params,
        key: None,
        correlation_id: correlation.transpose()?,
    };
    let names = (&invoke.integration, &invoke.action);
    let found = target::find(app, organization_id, session_id, names, &invoke.params).await;
    let found = found.map_err(as_conflict)?;
    let approved = Invocation {
        state,
        ..before.clone()
    };
    let ids = (before.id, Some(approved));
    let identity = CallerIdentity::of_run(&run);
    invoke::mediated_call(app, identity, session_id, ids, invoke, found)
}

/// Refuses a decision about another call than the one that waits, or about what it was before it was asked for again.
fn check_seen(invocation: &Invocation, seen: &Sha256Hex) -> Result<()> {
    if invocation.is_asked(seen) {
        return Ok(());
    }
    let why = match &invocation.state {
        InvocationState::Pending {
            returned: Some(mismatch),
            ..
        } => {
            let words: Vec<String> = mismatch.changed.iter().map(ToString::to_string).collect();
            let words = words.join(", ");
            format!("it was asked for again ({words}): {mismatch}")
        }
        _ => "another call was on the screen".to_owned(),
    };
    Err(Error::Conflict(format!(
        "`callSha256` is not the digest of the call that waits: {why}. Nothing was decided; look at the call again"
    )))
}

/// A request that was valid when the agent made it and is not any more is a conflict, not the admin's mistake.
fn as_conflict(error: Error) -> Error {
    match error {
        Error::Invalid(reasons) => {
            let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
            Error::Conflict(format!("it can no longer be done: {}", reasons.join("; ")))
        }
        error => error,
    }
}

/// Why a decision was too late, from what stands there now.
async fn late_decision_error(
    app: &App,
    caller: &Caller,
    session_id: Option<SessionId>,
    id: InvocationId,
) -> Result<Error> {
    let record = list::fetch(app, caller, session_id, id).await?;
    Ok(match record.invocation.state {
        InvocationState::Expired { at } => refused(InvalidMove::Expired { at }),
        state => Error::Conflict(format!(
            "it was decided meanwhile and is {}",
            state.status()
        )),
    })
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
fn refused(error: InvalidMove) -> Error {
    match error {
        InvalidMove::Expired { .. } => Error::Gone(error.to_string()),
        InvalidMove::Conflict { .. } => Error::Conflict(error.to_string()),
    }
}

/// The call of an invocation, for what looks at it.
pub(crate) fn call_of<'a>(invocation: &'a Invocation, params: &'a Value) -> ActionCall<'a> {
    ActionCall {
        organization_id: &invocation.organization_id,
        session_id: invocation.session_id,
        integration: &invocation.integration,
        action: &invocation.action,
        params,
    }
}
