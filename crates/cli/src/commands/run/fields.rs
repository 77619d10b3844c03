//! What is shown of a run.

use wire::contract::{PolicyVersionsView, RunArtifacts, RunView};

use crate::fields::{Record, joined, optional, seconds, text};

pub(super) const RECORD: Record<RunView> = Record {
    facts: &[
        ("id", |run| text(&run.run_id)),
        ("kind", |run| text(&run.run_kind)),
        ("status", |run| text(&run.status)),
        ("reason", |run| run.outcome_reason.clone()),
        ("error", |run| {
            let error = run.error.as_ref()?;
            Some(format!("{}: {}", error.error_code, error.message))
        }),
        ("operation", operation),
        ("lane", |run| run.actor.lane_id.clone()),
        ("by", |run| {
            Some(format!("{} {}", run.actor.actor_type, run.actor.actor_id))
        }),
        ("role", |run| text(&run.actor.role_id)),
        ("case", |run| run.case_id.clone()),
        ("session", |run| optional(run.session_id.as_ref())),
        ("parent", |run| optional(run.parent_run_id.as_ref())),
        ("inputs", |run| artifacts(&run.inputs)),
        ("outputs", |run| artifacts(&run.outputs)),
        ("created", |run| Some(seconds(run.created_at_utc))),
        ("ended", |run| run.completed_at_utc.map(seconds)),
        ("lanes.yaml", |run| text(&pins(run)?.lanes)),
        ("roles.yaml", |run| text(&pins(run)?.roles)),
        ("tools.yaml", |run| text(&pins(run)?.tools)),
    ],
    repeated: &[],
};

fn operation(run: &RunView) -> Option<String> {
    let operation = run.operation.as_ref()?;
    Some(match &run.tool_version {
        Some(version) => format!("{operation} (version {version})"),
        None => operation.clone(),
    })
}

fn pins(run: &RunView) -> Option<&PolicyVersionsView> {
    run.policy_versions.as_ref()
}

fn artifacts(artifacts: &RunArtifacts) -> Option<String> {
    let artifacts = artifacts.artifact_refs.iter();
    joined(artifacts.map(|one| format!("{} ({})", one.artifact_id, one.artifact_kind)))
}
