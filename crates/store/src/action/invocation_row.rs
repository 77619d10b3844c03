//! What is written and read of an invocation, as rows.

use domain::{
    action::{
        ApprovalMode, Authority, Binding, DeniedBy, Invocation, InvocationState, InvocationStatus,
        ResultRef, SuspendedGrant,
    },
    clock::Timestamp,
    id::UserId,
    policy::PolicyId,
    run::{RunError, RunErrorCode},
};
use serde_json::Value as Json;

use super::json::{mismatch_from, mismatch_to};
use crate::{
    error::Result,
    row::Row,
    value::{Value, values},
};

/// An invocation to insert.
#[derive(Debug, Clone)]
pub struct NewInvocation {
    pub invocation: Invocation,
    /// As people see them.
    pub params: Json,
    /// As they run. `None` for an invocation that ended before it began.
    pub sealed_params: Option<String>,
}

/// A step of an invocation.
#[derive(Debug, Clone)]
pub struct InvocationMove {
    pub before: Invocation,
    pub after: Invocation,
    /// What came back, as people see it.
    pub result: Option<Json>,
}

/// An invocation with what people see of it.
#[derive(Debug, Clone, PartialEq)]
pub struct InvocationRecord {
    pub invocation: Invocation,
    pub params: Json,
    pub result: Option<Json>,
}

pub(super) fn written(new: &NewInvocation) -> Vec<Value> {
    let invocation = &new.invocation;
    let mut row = values![
        invocation.id,
        &invocation.organization_id,
        invocation.session_id,
        invocation.run_id,
        invocation.integration_id,
        invocation.integration.as_str(),
        invocation.action.as_str(),
        invocation.risk.as_str(),
        &new.params,
        new.sealed_params.as_ref(),
        invocation.created_at,
        invocation.suspended.map(|grant| grant.id),
        invocation.suspended.map(|grant| grant.because.as_str()),
    ];
    row.extend(binding(&invocation.binding));
    row.extend(state(&invocation.state));
    row
}

pub(super) fn moved(step: &InvocationMove) -> Vec<Value> {
    let InvocationMove {
        before,
        after,
        result,
    } = step;
    let mut row = values![
        after.id,
        before.state.status().as_str(),
        expires_at(&before.state)
    ];
    row.extend(binding(&before.binding));
    row.push(Value::from(result.as_ref()));
    row.extend(binding(&after.binding));
    row.extend(state(&after.state));
    row
}

fn binding(binding: &Binding) -> [Value; 3] {
    [
        binding.call.as_str().into(),
        binding.tool.as_str().into(),
        binding.policy.as_str().into(),
    ]
}

fn expires_at(state: &InvocationState) -> Option<Timestamp> {
    match state {
        InvocationState::Pending { expires_at, .. }
        | InvocationState::Approved { expires_at, .. } => Some(*expires_at),
        _ => None,
    }
}

/// The columns of a state; a column that the state does not use is empty.
#[derive(Default)]
struct Columns<'a> {
    returned: Option<Json>,
    decision: Option<(&'a UserId, Option<Timestamp>)>,
    approval_grant_id: Option<uuid::Uuid>,
    claimed_at: Option<Timestamp>,
    authority: Option<&'a Authority>,
    completed_at: Option<Timestamp>,
    result: Option<&'a ResultRef>,
    error: Option<(&'a RunError, &'static str)>,
    refusal: Option<&'static str>,
    reason: Option<&'a String>,
}

/// From `status` to `reason`.
fn state(state: &InvocationState) -> Vec<Value> {
    let columns = columns(state);
    let (authority, grant_id, approval) = match columns.authority {
        None => (None, None, None),
        Some(Authority::Read) => (Some("read"), None, None),
        Some(Authority::Grant(id)) => (Some("grant"), Some(id.uuid()), None),
        Some(Authority::Approval { by, at }) => (Some("approval"), None, Some((by, Some(*at)))),
    };
    let decision = columns.decision.or(approval);
    let (error, effect) = columns.error.unzip();
    values![
        state.status().as_str(),
        expires_at(state),
        columns.returned,
        decision.map(|(by, _)| by),
        decision.and_then(|(_, at)| at),
        columns.approval_grant_id,
        columns.claimed_at,
        authority,
        grant_id,
        columns.completed_at,
        columns.result.map(|result| result.sha256.as_str()),
        columns.result.and_then(|result| result.artifact),
        error.map(|error| error.code.as_str()),
        error.map(|error| error.message.as_str()),
        error.map(|error| error.retryable),
        effect,
        columns.refusal,
        columns.reason,
    ]
}

fn columns(state: &InvocationState) -> Columns<'_> {
    let none = Columns::default();
    match state {
        InvocationState::Pending { returned, .. } => Columns {
            returned: returned.as_ref().map(mismatch_to),
            ..none
        },
        InvocationState::Approved { by, at, mode, .. } => Columns {
            decision: Some((by, Some(*at))),
            approval_grant_id: match mode {
                ApprovalMode::Once => None,
                ApprovalMode::Grant(id) => Some(id.uuid()),
            },
            ..none
        },
        InvocationState::Executing {
            claimed_at,
            authority,
        } => Columns {
            claimed_at: Some(*claimed_at),
            authority: Some(authority),
            ..none
        },
        InvocationState::Completed {
            ended_at,
            authority,
            result,
            duration,
        } => Columns {
            claimed_at: Some(ended_at.minus(*duration)),
            authority: Some(authority),
            completed_at: Some(*ended_at),
            result: Some(result),
            ..none
        },
        InvocationState::Failed {
            ended_at,
            authority,
            error,
            effect,
            result,
            duration,
        } => Columns {
            claimed_at: Some(ended_at.minus(*duration)),
            authority: Some(authority),
            completed_at: Some(*ended_at),
            result: result.as_ref(),
            error: Some((error, effect.as_str())),
            ..none
        },
        InvocationState::Denied { at, by, reason } => Columns {
            decision: match by {
                DeniedBy::Person(user) => Some((user, None)),
                DeniedBy::Platform(_) => None,
            },
            refusal: match by {
                DeniedBy::Person(_) => None,
                DeniedBy::Platform(refusal) => Some(refusal.as_str()),
            },
            completed_at: Some(*at),
            reason: reason.as_ref(),
            ..none
        },
        InvocationState::Expired { at } => Columns {
            completed_at: Some(*at),
            ..none
        },
    }
}

pub(super) fn record(row: &Row) -> Result<InvocationRecord> {
    Ok(InvocationRecord {
        invocation: invocation(row)?,
        params: row.json("params")?,
        result: row.json_opt("result")?,
    })
}

pub(super) fn invocation(row: &Row) -> Result<Invocation> {
    let policy = PolicyId::parse(&row.text("policy_id")?);
    Ok(Invocation {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        session_id: row.id("session_id")?,
        run_id: row.id("run_id")?,
        integration_id: row.id_opt("integration_id")?,
        integration: row.parsed("integration")?,
        action: row.parsed("action")?,
        risk: row.parsed("risk_level")?,
        binding: Binding {
            call: row.sha256("call_sha256")?,
            tool: row.sha256("tool_sha256")?,
            policy: policy
                .ok_or_else(|| row.inconsistent("policy_id", "not the id of a policy"))?,
        },
        suspended: match row.id_opt("suspended_grant_id")? {
            None => None,
            Some(id) => Some(SuspendedGrant {
                id,
                because: row.parsed("suspended_because")?,
            }),
        },
        created_at: row.time("created_at")?,
        state: read_state(row)?,
    })
}

fn read_state(row: &Row) -> Result<InvocationState> {
    let ended_at = || row.time("completed_at");
    let took = || Ok::<_, crate::error::Error>(ended_at()?.since(row.time("claimed_at")?));
    Ok(match row.parsed::<InvocationStatus>("status")? {
        InvocationStatus::Pending => InvocationState::Pending {
            expires_at: row.time("expires_at")?,
            returned: match row.json_opt("returned")? {
                None => None,
                Some(json) => Some(
                    mismatch_from(&json).map_err(|reason| row.inconsistent("returned", &reason))?,
                ),
            },
        },
        InvocationStatus::Approved => InvocationState::Approved {
            by: row.parsed("approved_by")?,
            at: row.time("approved_at")?,
            mode: match row.id_opt("approval_grant_id")? {
                None => ApprovalMode::Once,
                Some(id) => ApprovalMode::Grant(id),
            },
            expires_at: row.time("expires_at")?,
        },
        InvocationStatus::Executing => InvocationState::Executing {
            claimed_at: row.time("claimed_at")?,
            authority: authority(row)?,
        },
        InvocationStatus::Completed => InvocationState::Completed {
            ended_at: ended_at()?,
            authority: authority(row)?,
            result: row.required("result_sha256", result(row)?)?,
            duration: took()?,
        },
        InvocationStatus::Failed => InvocationState::Failed {
            ended_at: ended_at()?,
            authority: authority(row)?,
            error: error(row)?,
            effect: row.parsed("effect")?,
            result: result(row)?,
            duration: took()?,
        },
        InvocationStatus::Denied => InvocationState::Denied {
            at: ended_at()?,
            by: match row.parsed_opt("refusal")? {
                Some(refusal) => DeniedBy::Platform(refusal),
                None => DeniedBy::Person(row.parsed("approved_by")?),
            },
            reason: row.text_opt("reason")?,
        },
        InvocationStatus::Expired => InvocationState::Expired { at: ended_at()? },
    })
}

fn authority(row: &Row) -> Result<Authority> {
    match row.text("authority")?.as_str() {
        "read" => Ok(Authority::Read),
        "grant" => Ok(Authority::Grant(row.id("grant_id")?)),
        "approval" => Ok(Authority::Approval {
            by: row.parsed("approved_by")?,
            at: row.time("approved_at")?,
        }),
        _ => Err(row.inconsistent("authority", "not a word we know")),
    }
}

fn result(row: &Row) -> Result<Option<ResultRef>> {
    let Some(sha256) = row.sha256_opt("result_sha256")? else {
        return Ok(None);
    };
    Ok(Some(ResultRef {
        sha256,
        artifact: row.id_opt("result_artifact_id")?,
    }))
}

fn error(row: &Row) -> Result<RunError> {
    let code: RunErrorCode = row.parsed("error_code")?;
    let message = row.text("error")?;
    Ok(RunError::new(code, &message, row.bool("error_retryable")?))
}
