//! The answer to a tool call: made from the run, so that a repeated call gets the same answer.

use domain::{
    artifact::Artifact,
    audit::Outcome,
    id::RunId,
    policy::Operation,
    run::{Run, RunError},
};

use crate::{
    context::App,
    error::Result,
    mediation::{files, malformed::MalformedCall, response::contract_outcome},
};

/// The answer of the contract.
#[derive(Debug, Clone)]
pub struct ToolCallAnswer {
    pub outcome: Outcome,
    pub tool_name: Option<String>,
    pub operation: Option<Operation>,
    /// Absent only for a malformed request.
    pub run_id: Option<RunId>,
    pub correlation_id: Option<String>,
    pub outputs: Vec<Artifact>,
    pub response_sha256: Option<String>,
    /// A word on why, for programs.
    pub reason: Option<String>,
    pub error: Option<RunError>,
}

impl ToolCallAnswer {
    pub(super) fn malformed(malformed: MalformedCall, error: RunError) -> Self {
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

/// The answer to the call of a run, with its outputs.
pub async fn answer_of(app: &App, run: &Run) -> Result<ToolCallAnswer> {
    let (outcome, error) = contract_outcome(&run.state);
    let target = run.target.as_ref();
    Ok(ToolCallAnswer {
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
