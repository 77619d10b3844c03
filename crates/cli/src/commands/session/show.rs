//! `proliferate session show`.

use domain::{
    id::SessionId,
    session::{ClientType, SessionType},
};
use wire::session::SessionDetail;

use super::{client, seconds, status};
use crate::{
    client::EndpointArgs,
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::{Output, printable},
};

/// Show a session.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id
    id: SessionId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let path = format!("/v1/sessions/{}", args.id);
    let detail: SessionDetail = client.get(&path, &()).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&detail),
        Output::Table => context.printer.data(&text(&detail)),
    }
    Ok(Exit::Ok)
}

/// One line per fact that is there.
fn text(detail: &SessionDetail) -> String {
    let session = &detail.session;
    let list = |ids: Vec<String>| (!ids.is_empty()).then(|| ids.join(", "));
    let integrations = detail.integration_ids.iter().map(ToString::to_string);
    let facts = [
        ("id", Some(session.id.to_string())),
        ("status", Some(status(session))),
        ("reason", session.reason.clone()),
        ("title", session.title.clone()),
        (
            "type",
            Some(SessionType::from(session.session_type).to_string()),
        ),
        (
            "client",
            Some(ClientType::from(session.client_type).to_string()),
        ),
        ("model", Some(session.agent_config.model_id.clone())),
        ("organization", Some(session.organization_id.clone())),
        ("created by", session.created_by.clone()),
        (
            "configuration",
            session.configuration_id.map(|id| id.to_string()),
        ),
        ("snapshot", session.snapshot_id.clone()),
        ("integrations", list(integrations.collect())),
        ("created", Some(seconds(session.created_at))),
        ("started", session.started_at.map(seconds)),
        ("paused", session.paused_at.map(seconds)),
        ("ended", session.ended_at.map(seconds)),
        ("prompt", session.initial_prompt.clone()),
    ];
    let mut lines: Vec<String> = facts
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name:<14} {}", printable(&value?))))
        .collect();
    for warning in &detail.integration_warnings {
        let id = warning.integration_id;
        lines.push(format!(
            "left out       {id}: {}",
            printable(&warning.message)
        ));
    }
    lines.join("\n")
}
