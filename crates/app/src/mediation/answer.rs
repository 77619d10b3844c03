//! What the caller of a tool is told: made from the run, so that whoever repeats a call is told the same.

use domain::{
    artifact::Artifact,
    audit::{ArtifactDigest, Outcome, Sha256Hex},
    id::RunId,
    policy::Operation,
    projection::response_sha256,
    run::{Run, RunError, RunState},
};

use super::{attempt::Malformed, files, messages};
use crate::{context::App, error::Result};

/// The answer of the contract.
#[derive(Debug, Clone)]
pub struct Answer {
    pub outcome: Outcome,
    pub tool_name: Option<String>,
    pub operation: Option<Operation>,
    /// Absent only for a request that could not be read.
    pub run_id: Option<RunId>,
    pub correlation_id: Option<String>,
    pub outputs: Vec<Artifact>,
    pub response_sha256: Option<String>,
    /// A word on why.
    pub reason: Option<String>,
    pub error: Option<RunError>,
}

impl Answer {
    pub(super) fn malformed(malformed: Malformed, error: RunError) -> Self {
        Self {
            outcome: Outcome::Failure,
            tool_name: None,
            operation: malformed.operation,
            run_id: None,
            correlation_id: malformed.correlation_id.map(|id| id.as_str().to_owned()),
            outputs: Vec::new(),
            response_sha256: None,
            reason: Some("invalid_request".to_owned()),
            error: Some(error),
        }
    }
}

/// How a run ended, in the words of the contract; `allow` while it has not.
pub(super) fn outcome(state: &RunState) -> (Outcome, Option<RunError>) {
    use domain::run::RunErrorCode::InvalidRequest;
    match state {
        RunState::Created | RunState::Running { .. } => (Outcome::Allow, None),
        RunState::Completed { .. } => (Outcome::Success, None),
        RunState::Failed { error, .. } => (Outcome::Failure, Some(error.clone())),
        // A call that could not be understood is no denial, though its run never started.
        RunState::Denied { error, .. } if error.code == InvalidRequest => {
            (Outcome::Failure, Some(error.clone()))
        }
        RunState::Denied { error, .. } => (Outcome::Deny, Some(error.clone())),
        RunState::Cancelled { .. } => (Outcome::Failure, Some(messages::cancelled())),
    }
}

/// The digest of the answer to a run that stands as `state` says.
pub(super) fn digest(run: &Run, state: &RunState, outputs: &[ArtifactDigest]) -> Sha256Hex {
    let (outcome, error) = outcome(state);
    let target = run.target.as_ref();
    let call = target.map_or(("", ""), |target| {
        (target.tool_name.as_str(), target.operation.as_str())
    });
    response_sha256(outcome, call, outputs, error.as_ref())
}

/// The answer to a run, with what it left behind.
pub(super) async fn load(app: &App, run: &Run) -> Result<Answer> {
    let (outcome, error) = outcome(&run.state);
    let target = run.target.as_ref();
    Ok(Answer {
        outcome,
        tool_name: target.map(|target| target.tool_name.clone()),
        operation: target.map(|target| target.operation.clone()),
        run_id: Some(run.id),
        correlation_id: run.correlation_id.clone(),
        outputs: files::outputs_of(app, run).await?,
        response_sha256: run
            .response_sha256
            .as_ref()
            .map(|digest| digest.as_str().to_owned()),
        reason: run.reason.clone(),
        error,
    })
}
