//! Runs as clients see them.

use app::{App, runs, tool_calls};
use domain::{
    audit::{ArtifactDigest, CONTRACT_VERSION},
    clock::Timestamp,
    run::{Run, RunState},
};
use wire::contract::{PolicyVersionsView, RunActorView, RunArtifactRef, RunArtifacts, RunView};

use crate::routes::tool_calls::{answer_view, error_view};

/// With the policy it is pinned to and, for the run of a call, its response.
pub(super) async fn run_view(app: &App, run: &Run) -> app::Result<RunView> {
    let mut view = short_view(run);
    let versions = runs::versions_of(app, run).await?;
    view.policy_versions = versions.map(|versions| PolicyVersionsView {
        lanes: versions.lanes.blob,
        roles: versions.roles.blob,
        tools: versions.tools.blob,
    });
    if run.target.is_some() {
        view.answer = Some(answer_view(tool_calls::answer_of(app, run).await?));
    }
    Ok(view)
}

/// The data of the run itself.
pub(super) fn short_view(run: &Run) -> RunView {
    let (started_at, ended_at) = moments(&run.state);
    let error = match &run.state {
        RunState::Failed { error, .. } | RunState::Denied { error, .. } => Some(error),
        _ => None,
    };
    let duration = started_at
        .zip(ended_at)
        .map(|(start, end)| (end.micros() - start.micros()) / 1000);
    let target = run.target.as_ref();
    RunView {
        run_id: run.id.uuid(),
        run_kind: run.kind.as_str().to_owned(),
        parent_run_id: run.parent_id.map(domain::id::RunId::uuid),
        root_run_id: run.root_id.uuid(),
        status: run.state.status().as_str().to_owned(),
        case_id: run.case_id.as_ref().map(ToString::to_string),
        session_id: run.session_id.map(domain::id::SessionId::uuid),
        actor: RunActorView {
            actor_type: run.actor.class.as_str().to_owned(),
            actor_id: run.actor.id.clone(),
            role_id: run.actor.role.to_string(),
            lane_id: target.and_then(|target| target.lane.as_ref().map(ToString::to_string)),
        },
        contract_version: CONTRACT_VERSION.to_owned(),
        policy_versions: None,
        correlation_id: run.correlation_id.clone(),
        created_at_utc: run.created_at.datetime(),
        started_at_utc: started_at.map(Timestamp::datetime),
        completed_at_utc: ended_at.map(Timestamp::datetime),
        duration_ms: duration,
        tool_name: target.map(|target| target.tool_name.clone()),
        operation: target.map(|target| target.operation.to_string()),
        tool_version: target.and_then(|target| target.version.as_ref().map(ToString::to_string)),
        outcome_reason: run.reason.clone(),
        error: error.map(error_view),
        inputs: artifacts(&run.inputs),
        outputs: artifacts(&run.outputs),
        request_hash_sha256: run
            .request_sha256
            .as_ref()
            .map(|digest| digest.as_str().to_owned()),
        answer: None,
    }
}

fn moments(state: &RunState) -> (Option<Timestamp>, Option<Timestamp>) {
    match state {
        RunState::Created => (None, None),
        RunState::Running { started_at, .. } => (Some(*started_at), None),
        RunState::Completed {
            started_at,
            ended_at,
            ..
        }
        | RunState::Failed {
            started_at,
            ended_at,
            ..
        } => (Some(*started_at), Some(*ended_at)),
        RunState::Denied { ended_at, .. } | RunState::Cancelled { ended_at } => {
            (None, Some(*ended_at))
        }
    }
}

fn artifacts(digests: &[ArtifactDigest]) -> RunArtifacts {
    let one = |digest: &ArtifactDigest| RunArtifactRef {
        artifact_id: digest.id.as_str().to_owned(),
        artifact_kind: digest.kind.as_str().to_owned(),
        hash_sha256: digest.sha256.as_str().to_owned(),
        storage_locator: format!("artifact:{}", digest.id.as_str()),
    };
    RunArtifacts {
        artifact_refs: digests.iter().map(one).collect(),
    }
}
