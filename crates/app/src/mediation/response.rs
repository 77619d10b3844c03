//! What the state of a run means to the caller of a call, and the digest of that answer.

use domain::{
    audit::{ArtifactDigest, Outcome, Sha256Hex},
    projection,
    run::{Run, RunError, RunErrorCode, RunState},
};

use super::messages;

/// How a run ended, in the words of the contract; `allow` while it has not.
pub(crate) fn contract_outcome(state: &RunState) -> (Outcome, Option<RunError>) {
    match state {
        RunState::Created | RunState::Running { .. } => (Outcome::Allow, None),
        RunState::Completed { .. } => (Outcome::Success, None),
        RunState::Failed { error, .. } => (Outcome::Failure, Some(error.clone())),
        // A call that cannot be understood is a failure and no denial, though its run never started.
        RunState::Denied { error, .. } if error.code == RunErrorCode::InvalidRequest => {
            (Outcome::Failure, Some(error.clone()))
        }
        RunState::Denied { error, .. } => (Outcome::Deny, Some(error.clone())),
        RunState::Cancelled { .. } => (Outcome::Failure, Some(messages::cancelled())),
    }
}

/// The digest of the answer to a call whose run ends in `state`.
pub(crate) fn response_digest(
    run: &Run,
    state: &RunState,
    outputs: &[ArtifactDigest],
) -> Sha256Hex {
    let (outcome, error) = contract_outcome(state);
    let target = run.target.as_ref();
    let call = target.map_or(("", ""), |target| {
        (target.tool_name.as_str(), target.operation.as_str())
    });
    projection::response_sha256(outcome, call, outputs, error.as_ref())
}
