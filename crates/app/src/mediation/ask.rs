//! What an action adds to a call: somebody may have to be asked. Decided in the transaction that decides the
//! call, after its lane permitted it.
//!
//! INVARIANT: an invocation and the run that it is move in one transaction, runs before invocations, so that
//! two who move the same one wait for each other instead of blocking each other.

use std::{collections::HashMap, time::Duration};

use domain::{
    action::{
        ActionCall, ActionName, Authority, Binding, CallDefinition, Claim, DeniedBy, Disposition,
        Effect, Grant, IntegrationName, Invocation, InvocationState, Refusal, ResultRef, Risk,
        Standing, SuspendedGrant, dispose, suspended,
    },
    audit::Sha256Hex,
    clock::Timestamp,
    id::{GrantId, IntegrationId, InvocationId, SessionId},
    limits::PENDING_LIFE,
    policy::PolicyId,
    run::{RunError, RunErrorCode},
};
use serde_json::Value;
use store::{InvocationMove, InvocationRecord, NewInvocation, Tx};

use super::attempt::Request;
use crate::{
    actions::Target,
    error::{Error, Result},
    policy::Policy,
};

/// What an action brings along.
#[derive(Debug)]
pub(crate) struct Ask {
    pub(crate) id: InvocationId,
    pub(crate) integration: IntegrationName,
    pub(crate) action: ActionName,
    pub(crate) integration_id: Option<IntegrationId>,
    pub(crate) risk: Risk,
    /// The digest of the call, and of the tool's definition as it is now.
    pub(crate) call: Sha256Hex,
    pub(crate) tool: Sha256Hex,
    /// The digest that grants are bound to; `None` for a connector's tool, where it is the definition's.
    pub(crate) built_in: Option<Sha256Hex>,
    /// The parameters as people see them, and as they run.
    pub(crate) shown: Value,
    pub(crate) sealed: String,
    /// What does it.
    pub(crate) target: Target,
    /// The approval that is used; `None` for a call that nobody was asked about yet.
    pub(crate) approved: Option<Invocation>,
}

/// What becomes of the call.
#[derive(Debug)]
pub(super) enum Next {
    Execute,
    /// A person is asked.
    Hold,
    Refuse(Refusal),
    /// Too many of the session wait for a person already.
    Full,
}

/// An action that was decided on, with what is to be written down of it.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) next: Next,
    /// As it stands now. `None` where there is to be none.
    pub(super) record: Option<InvocationRecord>,
    /// For one that is to be inserted; otherwise it was moved already.
    pub(super) sealed: Option<String>,
    /// The grant that has this call in its budget.
    pub(super) spent: Option<GrantId>,
}

impl Asked {
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

/// What this batch adds to a session, which no count in the tables has yet.
#[derive(Debug, Default)]
pub(super) struct Added {
    /// Actions that wait for a person.
    pending: HashMap<SessionId, u32>,
    /// Calls of a sandbox's tools.
    pub(super) calls: HashMap<(SessionId, &'static str), u32>,
}

/// Decides what becomes of an action. `permitted`: whether its lane lets it in under `policy`.
pub(super) async fn settle(
    tx: &mut Tx,
    request: &Request,
    ask: &Ask,
    permitted: bool,
    policy: &Policy,
    now: Timestamp,
    added: &mut Added,
) -> Result<Asked> {
    let hold = hold(policy, request);
    let found = binding(ask, policy.id());
    if let Some(approved) = &ask.approved {
        return use_approval(tx, ask, approved, permitted, (found, hold), now).await;
    }
    let session_id = session(request)?;
    let (next, state, grant) = if permitted {
        let (disposition, grant) = disposition(tx, request, ask, hold, now, added).await?;
        let next = match &disposition {
            Disposition::Execute(_) => Next::Execute,
            Disposition::Hold { .. } => Next::Hold,
            Disposition::DenyDanger => Next::Refuse(Refusal::Danger),
            Disposition::TooManyPending => Next::Full,
        };
        (next, disposition.begin(now), grant)
    } else {
        let state = InvocationState::Denied {
            at: now,
            by: DeniedBy::Platform(Refusal::Policy),
            reason: None,
        };
        (
            Next::Refuse(Refusal::Policy),
            Some(state),
            GrantLook::default(),
        )
    };
    let begun = |state| Invocation {
        suspended: grant.suspended,
        ..begun(request, ask, session_id, found, state, now)
    };
    Ok(Asked {
        next,
        record: state.map(|state| record(ask, begun(state))),
        sealed: Some(ask.sealed.clone()),
        spent: grant.spent,
    })
}

/// Uses an approval, if it is for what was found; it is moved here, so that nobody else uses it.
async fn use_approval(
    tx: &mut Tx,
    ask: &Ask,
    approved: &Invocation,
    permitted: bool,
    (found, hold): (Binding, Duration),
    now: Timestamp,
) -> Result<Asked> {
    let refusal = match (permitted, ask.risk) {
        (false, _) => Some(Refusal::Policy),
        // What it does was judged anew since somebody approved it.
        (true, Risk::Danger) => Some(Refusal::Danger),
        (true, _) => None,
    };
    let (after, next) = if let Some(refusal) = refusal {
        let state = approved.state.clone().refuse(refusal, now);
        let state = state.map_err(|error| Error::Conflict(error.to_string()))?;
        (with_state(approved, state), Next::Refuse(refusal))
    } else {
        match approved.clone().claim(found, hold, now) {
            Ok(Claim::Execute(after)) => (after, Next::Execute),
            Ok(Claim::AskAgain { invocation, .. }) => (invocation, Next::Hold),
            Err(error) => return Err(Error::Conflict(error.to_string())),
        }
    };
    let step = InvocationMove {
        before: approved.clone(),
        after: after.clone(),
        result: None,
    };
    if tx.invocation_move_all(&[step]).await?.is_empty() {
        return Err(Error::Conflict("it was decided meanwhile".to_owned()));
    }
    Ok(Asked {
        next,
        record: Some(record(ask, after)),
        sealed: None,
        spent: None,
    })
}

/// What came of looking for a grant.
#[derive(Debug, Default)]
struct GrantLook {
    /// It has the call in its budget.
    spent: Option<GrantId>,
    /// It would have, if the action were still defined as it was.
    suspended: Option<SuspendedGrant>,
}

impl GrantLook {
    fn spent(id: GrantId) -> Self {
        Self {
            spent: Some(id),
            suspended: None,
        }
    }
}

/// What the rules say, with the grant spent that the call runs under. A grant whose last call somebody else
/// had is left out, and the rules are asked again.
async fn disposition(
    tx: &mut Tx,
    request: &Request,
    ask: &Ask,
    hold: Duration,
    now: Timestamp,
    added: &mut Added,
) -> Result<(Disposition, GrantLook)> {
    let (organization_id, session_id) = (&request.organization_id, session(request)?);
    let mut grants: Vec<Grant> = match ask.risk {
        Risk::Write => {
            let (integration, action) = (&ask.integration, &ask.action);
            tx.grant_candidate_list(organization_id, session_id, integration, action, now)
                .await?
        }
        Risk::Read | Risk::Danger => Vec::new(),
    };
    // Only a grant looks at them.
    let params = match ask.risk {
        Risk::Write => Value::Object(request.parameters.clone()),
        Risk::Read | Risk::Danger => Value::Null,
    };
    let call = ActionCall {
        organization_id,
        session_id,
        integration: &ask.integration,
        action: &ask.action,
        params: &params,
    };
    let definition = definition(tx, request, ask, !grants.is_empty()).await?;
    loop {
        let standing = Standing {
            pending: 0,
            grants: &grants,
            definition: &definition,
            hold,
            now,
        };
        match dispose(ask.risk, &call, &standing) {
            Disposition::Execute(Authority::Grant(id)) => {
                if tx.grant_spend(organization_id, id, now).await? {
                    let authority = Authority::Grant(id);
                    return Ok((Disposition::Execute(authority), GrantLook::spent(id)));
                }
                grants.retain(|grant| grant.id != id);
            }
            Disposition::Hold { .. } => {
                let stored = tx.invocation_pending_count(organization_id, session_id, now);
                let stored = u32::try_from(stored.await?).unwrap_or(u32::MAX);
                let of_batch = added.pending.entry(session_id).or_default();
                let pending = stored.saturating_add(*of_batch);
                let standing = Standing {
                    pending,
                    ..standing
                };
                let decided = dispose(ask.risk, &call, &standing);
                if matches!(decided, Disposition::Hold { .. }) {
                    *of_batch += 1;
                }
                let held = GrantLook {
                    suspended: suspended(&grants, &call, &definition, now),
                    ..GrantLook::default()
                };
                return Ok((decided, held));
            }
            decided => return Ok((decided, GrantLook::default())),
        }
    }
}

/// How the action is defined, and what of it is known in this transaction: what an admin accepts meanwhile, and a grant
/// that is made for it, counts for the next call. `judged`: whether there is a grant that asks.
async fn definition(
    tx: &mut Tx,
    request: &Request,
    ask: &Ask,
    judged: bool,
) -> Result<CallDefinition> {
    if let Some(sha256) = ask.built_in.clone() {
        return Ok(CallDefinition::BuiltIn { sha256 });
    }
    let standing = match ask.integration.connector_id().filter(|_| judged) {
        None => None,
        Some(id) => {
            let organization_id = &request.organization_id;
            tx.connector_tool_standing(organization_id, id, &ask.action)
                .await?
        }
    };
    Ok(CallDefinition::Tool {
        sha256: ask.tool.clone(),
        standing: standing.map(|tool| tool.standing),
    })
}

fn record(ask: &Ask, invocation: Invocation) -> InvocationRecord {
    InvocationRecord {
        invocation,
        params: ask.shown.clone(),
        result: None,
    }
}

fn begun(
    request: &Request,
    ask: &Ask,
    session_id: SessionId,
    binding: Binding,
    state: InvocationState,
    now: Timestamp,
) -> Invocation {
    Invocation {
        id: ask.id,
        organization_id: request.organization_id.clone(),
        session_id,
        run_id: request.new_run_id,
        integration_id: ask.integration_id,
        integration: ask.integration.clone(),
        action: ask.action.clone(),
        risk: ask.risk,
        binding,
        suspended: None,
        created_at: now,
        state,
    }
}

fn binding(ask: &Ask, policy: &PolicyId) -> Binding {
    Binding {
        call: ask.call.clone(),
        tool: ask.tool.clone(),
        policy: policy.clone(),
    }
}

/// An action is always a session's.
fn session(request: &Request) -> Result<SessionId> {
    request.session_id.ok_or(Error::NotFound("session"))
}

/// How long a person has, as the lane says.
fn hold(policy: &Policy, request: &Request) -> Duration {
    let lane = request.call.lane_id.as_ref();
    let lane = lane.and_then(|lane| policy.snapshot().lane(lane));
    lane.and_then(|lane| lane.hold).unwrap_or(PENDING_LIFE)
}

impl Next {
    /// Why it is refused, if it is: a word for the record, and what the caller is told.
    pub(super) fn refusal(&self) -> Option<(&'static str, RunError)> {
        let refusal = match self {
            Self::Execute | Self::Hold => return None,
            Self::Refuse(refusal) => refusal,
            Self::Full => {
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
        Refusal::Danger => "the action is dangerous, and nobody can allow it",
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

/// How an action went at the other side.
#[derive(Debug, Clone)]
pub(crate) enum Went {
    Well {
        result: ResultRef,
    },
    Badly {
        /// In the words of the other side, redacted: for the record that people see.
        error: RunError,
        effect: Effect,
        result: Option<ResultRef>,
    },
}

/// What is known of a call whose answer never came.
pub(crate) const fn effect_of_silence(risk: Risk) -> Effect {
    match risk {
        Risk::Read => Effect::Known,
        Risk::Write | Risk::Danger => Effect::Unknown,
    }
}

/// The step from executing to an end.
pub(super) fn ending(
    record: &InvocationRecord,
    went: Went,
    shown: Option<Value>,
    now: Timestamp,
) -> Result<InvocationMove> {
    let state = record.invocation.state.clone();
    let state = match went {
        Went::Well { result } => state.complete(result, now),
        Went::Badly {
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

/// What a step leaves on record, as far as the end of one is told.
pub(super) fn after(step: &InvocationMove) -> InvocationRecord {
    InvocationRecord {
        invocation: step.after.clone(),
        params: Value::Null,
        result: step.result.clone(),
    }
}
