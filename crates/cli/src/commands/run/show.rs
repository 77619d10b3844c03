//! `proliferate run show`.

use domain::id::RunId;
use wire::contract::{RunArtifacts, RunView};

use super::{client, ended, seconds};
use crate::{
    client::EndpointArgs,
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::{Output, printable},
};

/// Show a run: what was called, by whom, in which lane, and how it stands.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run's id
    id: RunId,
    /// Wait until it has ended
    #[arg(long)]
    wait: bool,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let run: RunView = if args.wait {
        ended(&client, args.id).await?
    } else {
        client.get(&format!("/v1/runs/{}", args.id), &()).await?
    };
    match context.printer.output {
        Output::Json => context.printer.json(&run),
        Output::Table => context.printer.data(&text(&run)),
    }
    Ok(Exit::Ok)
}

/// One line per fact that is there.
fn text(run: &RunView) -> String {
    let actor = &run.actor;
    let version = run.tool_version.as_deref();
    let operation = run.operation.as_ref().map(|operation| match version {
        Some(version) => format!("{operation} (version {version})"),
        None => operation.clone(),
    });
    let error = run.error.as_ref();
    let error = error.map(|error| format!("{}: {}", error.error_code, error.message));
    let pin = |pin: fn(&wire::contract::PolicyVersionsView) -> &String| {
        run.policy_versions
            .as_ref()
            .map(|versions| pin(versions).clone())
    };
    let facts = [
        ("id", Some(run.run_id.to_string())),
        ("kind", Some(run.run_kind.clone())),
        ("status", Some(run.status.clone())),
        ("reason", run.outcome_reason.clone()),
        ("error", error),
        ("operation", operation),
        ("lane", actor.lane_id.clone()),
        (
            "by",
            Some(format!("{} {}", actor.actor_type, actor.actor_id)),
        ),
        ("role", Some(actor.role_id.clone())),
        ("case", run.case_id.clone()),
        ("session", run.session_id.map(|id| id.to_string())),
        ("parent", run.parent_run_id.map(|id| id.to_string())),
        ("inputs", artifacts(&run.inputs)),
        ("outputs", artifacts(&run.outputs)),
        ("created", Some(seconds(run.created_at_utc))),
        ("ended", run.completed_at_utc.map(seconds)),
        ("lanes.yaml", pin(|versions| &versions.lanes)),
        ("roles.yaml", pin(|versions| &versions.roles)),
        ("tools.yaml", pin(|versions| &versions.tools)),
    ];
    let lines = facts
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name:<14} {}", printable(&value?))));
    lines.collect::<Vec<_>>().join("\n")
}

fn artifacts(artifacts: &RunArtifacts) -> Option<String> {
    let named: Vec<String> = artifacts
        .artifact_refs
        .iter()
        .map(|artifact| format!("{} ({})", artifact.artifact_id, artifact.artifact_kind))
        .collect();
    (!named.is_empty()).then(|| named.join(", "))
}
