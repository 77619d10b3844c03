//! What is written and read of a run, as rows.

use domain::{
    audit::{ArtifactDigest, SafeText, Sha256Hex},
    clock::Timestamp,
    id::{OrganizationId, RunId, SessionId},
    policy::{CaseId, LaneId, PolicyId, ToolVersion},
    run::{Run, RunActor, RunError, RunErrorCode, RunKind, RunState, RunStatus, RunTarget},
};
use serde_json::{Value as Json, json};

use crate::{
    error::Result,
    row::Row,
    value::{Value, values},
};

/// A run to insert.
#[derive(Debug, Clone)]
pub struct NewRun {
    pub run: Run,
    /// The scope a key is claimed in, and the key.
    pub key: Option<(String, String)>,
}

/// How a run ends.
#[derive(Debug, Clone)]
pub struct RunEnd {
    pub id: RunId,
    pub status: RunStatus,
    pub ended_at: Timestamp,
    pub reason: Option<String>,
    pub error: Option<RunError>,
    pub outputs: Vec<ArtifactDigest>,
    pub response_sha256: Option<Sha256Hex>,
}

impl RunEnd {
    /// The end of a run that has reached it.
    pub fn of(run: &Run, ended_at: Timestamp) -> Self {
        let error = match &run.state {
            RunState::Failed { error, .. } | RunState::Denied { error, .. } => Some(error.clone()),
            _ => None,
        };
        Self {
            id: run.id,
            status: run.state.status(),
            ended_at,
            reason: run.reason.clone(),
            error,
            outputs: run.outputs.clone(),
            response_sha256: run.response_sha256.clone(),
        }
    }
}

/// What a decision needs to know about a run. Texts as they are stored: a pin that is none is for the
/// decision to find.
#[derive(Debug, Clone)]
pub struct RunStanding {
    pub id: RunId,
    pub organization_id: OrganizationId,
    pub kind: RunKind,
    pub status: RunStatus,
    pub root_id: RunId,
    pub parent_id: Option<RunId>,
    pub root_status: RunStatus,
    pub actor_class: String,
    pub actor_id: String,
    pub case_id: Option<String>,
    pub session_id: Option<SessionId>,
    pub operation: Option<String>,
    pub policy_id: Option<String>,
}

pub(super) fn inserted(new: &NewRun) -> Vec<Value> {
    let NewRun { run, key } = new;
    let (started_at, ended_at, deadline, policy, error) = match &run.state {
        RunState::Created => (None, None, None, None, None),
        RunState::Running {
            started_at,
            policy,
            deadline,
        } => (Some(*started_at), None, *deadline, Some(policy), None),
        RunState::Completed {
            started_at,
            ended_at,
            policy,
        } => (Some(*started_at), Some(*ended_at), None, Some(policy), None),
        RunState::Failed {
            started_at,
            ended_at,
            policy,
            error,
        } => (
            Some(*started_at),
            Some(*ended_at),
            None,
            Some(policy),
            Some(error),
        ),
        RunState::Denied { ended_at, error } => (None, Some(*ended_at), None, None, Some(error)),
        RunState::Cancelled { ended_at } => (None, Some(*ended_at), None, None, None),
    };
    let target = run.target.as_ref();
    values![
        run.id,
        &run.organization_id,
        run.kind.as_str(),
        run.state.status().as_str(),
        run.root_id,
        run.parent_id,
        run.case_id.as_ref().map(CaseId::as_str),
        run.session_id,
        run.actor.class.as_str(),
        &run.actor.id,
        run.actor.role.as_str(),
        target.and_then(|target| target.lane.as_ref().map(LaneId::as_str)),
        target.map(|target| target.tool_name.as_str()),
        target.map(|target| target.operation.as_str()),
        target.and_then(|target| target.version.as_ref().map(ToolVersion::as_str)),
        policy.map(PolicyId::as_str),
        run.correlation_id.as_ref(),
        run.request_sha256.as_ref().map(Sha256Hex::as_str),
        run.created_at,
        started_at,
        ended_at,
        deadline,
        run.reason.as_ref(),
        error.map(|error| error.code.as_str()),
        error.map(|error| error.message.as_str()),
        error.map(|error| error.retryable),
        digests_json(&run.inputs),
        digests_json(&run.outputs),
        run.response_sha256.as_ref().map(Sha256Hex::as_str),
        key.as_ref().map(|(scope, _)| scope),
        key.as_ref().map(|(_, key)| key),
    ]
}

pub(super) fn ended(end: &RunEnd) -> Vec<Value> {
    values![
        end.id,
        end.status.as_str(),
        end.ended_at,
        end.reason.as_ref(),
        end.error.as_ref().map(|error| error.code.as_str()),
        end.error.as_ref().map(|error| error.message.as_str()),
        end.error.as_ref().map(|error| error.retryable),
        digests_json(&end.outputs),
        end.response_sha256.as_ref().map(Sha256Hex::as_str),
    ]
}

pub(super) fn run(row: &Row) -> Result<Run> {
    let operation = row.parsed_opt("operation")?;
    let target = match (operation, row.text_opt("tool_name")?) {
        (Some(operation), Some(tool_name)) => Some(RunTarget {
            lane: row.parsed_opt("lane_id")?,
            tool_name,
            operation,
            version: row.parsed_opt("tool_version")?,
        }),
        (None, None) => None,
        _ => return Err(row.inconsistent("operation", "a call has a tool and an operation")),
    };
    Ok(Run {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        kind: row.parsed("kind")?,
        root_id: row.id("root_id")?,
        parent_id: row.id_opt("parent_id")?,
        case_id: row.parsed_opt("case_id")?,
        session_id: row.id_opt("session_id")?,
        actor: RunActor {
            class: row.parsed("actor_class")?,
            id: row.text("actor_id")?,
            role: row.parsed("role_id")?,
        },
        target,
        correlation_id: row.text_opt("correlation_id")?,
        request_sha256: row.sha256_opt("request_sha256")?,
        created_at: row.time("created_at")?,
        state: state(row)?,
        reason: row.text_opt("reason")?,
        inputs: digests(row, "inputs")?,
        outputs: digests(row, "outputs")?,
        response_sha256: row.sha256_opt("response_sha256")?,
    })
}

fn state(row: &Row) -> Result<RunState> {
    let started_at = || row.time("started_at");
    let ended_at = || row.time("ended_at");
    let policy = || {
        let id = PolicyId::parse(&row.text("policy_id")?);
        id.ok_or_else(|| row.inconsistent("policy_id", "not the id of a policy"))
    };
    let error = || -> Result<RunError> {
        let code: RunErrorCode = row.parsed("error_code")?;
        let message = row.text("error_message")?;
        Ok(RunError::new(code, &message, row.bool("error_retryable")?))
    };
    Ok(match row.parsed::<RunStatus>("status")? {
        RunStatus::Created => RunState::Created,
        RunStatus::Running => RunState::Running {
            started_at: started_at()?,
            policy: policy()?,
            deadline: row.time_opt("deadline")?,
        },
        RunStatus::Completed => RunState::Completed {
            started_at: started_at()?,
            ended_at: ended_at()?,
            policy: policy()?,
        },
        RunStatus::Failed => RunState::Failed {
            started_at: started_at()?,
            ended_at: ended_at()?,
            policy: policy()?,
            error: error()?,
        },
        RunStatus::Denied => RunState::Denied {
            ended_at: ended_at()?,
            error: error()?,
        },
        RunStatus::Cancelled => RunState::Cancelled {
            ended_at: ended_at()?,
        },
    })
}

pub(super) fn run_standing(row: &Row) -> Result<RunStanding> {
    Ok(RunStanding {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        kind: row.parsed("kind")?,
        status: row.parsed("status")?,
        root_id: row.id("root_id")?,
        parent_id: row.id_opt("parent_id")?,
        root_status: row.parsed("root_status")?,
        actor_class: row.text("actor_class")?,
        actor_id: row.text("actor_id")?,
        case_id: row.text_opt("case_id")?,
        session_id: row.id_opt("session_id")?,
        operation: row.text_opt("operation")?,
        policy_id: row.text_opt("policy_id")?,
    })
}

fn digests_json(digests: &[ArtifactDigest]) -> Json {
    let digest = |digest: &ArtifactDigest| {
        json!([
            digest.id.as_str(),
            digest.kind.as_str(),
            digest.sha256.as_str()
        ])
    };
    digests.iter().map(digest).collect()
}

fn digests(row: &Row, column: &'static str) -> Result<Vec<ArtifactDigest>> {
    let wrong = |reason: &str| row.inconsistent(column, reason);
    let stored: Vec<(String, String, String)> =
        serde_json::from_value(row.json(column)?).map_err(|error| wrong(&error.to_string()))?;
    let digest = |(id, kind, sha256): (String, String, String)| -> Result<ArtifactDigest> {
        let invalid = |error: domain::invalid::Invalid| wrong(&error.to_string());
        Ok(ArtifactDigest {
            id: SafeText::new("artifact_id", id).map_err(invalid)?,
            kind: SafeText::new("artifact_kind", kind).map_err(invalid)?,
            sha256: Sha256Hex::new("hash_sha256", sha256).map_err(invalid)?,
        })
    };
    stored.into_iter().map(digest).collect()
}
