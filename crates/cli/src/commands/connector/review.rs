//! `proliferate connector review`.

use domain::id::ConnectorId;
use wire::connector::{
    AcceptedTool, ChangedDefinition, ConnectorToolView, ReviewConnectorRequest,
    ValidateConnectorRequest, ValidateConnectorResponse,
};

use super::{client, config, fetch, tools};
use crate::{
    client::EndpointArgs,
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::{Output, printable},
};

/// Show tools that read differently than when they were accepted, or accept them.
///
/// Until then each asks for approval at least, whatever was set for it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The connector's id
    id: ConnectorId,
    /// A definition to accept, as it was shown; may be given several times
    #[arg(long, value_name = "ACTION=SHA256", value_parser = accepted)]
    accept: Vec<AcceptedTool>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let found: ValidateConnectorResponse = if args.accept.is_empty() {
        let connector = config(fetch(&client, args.id).await?);
        let request = ValidateConnectorRequest { connector };
        client.post("/v1/connectors/validate", &request).await?
    } else {
        let path = format!("/v1/connectors/{}/review", args.id);
        let request = ReviewConnectorRequest { tools: args.accept };
        client.post(&path, &request).await?
    };
    if let Some(failure) = tools::failure(&found) {
        return Err(failure);
    }
    let changed: Vec<&ConnectorToolView> = found
        .tools
        .iter()
        .filter(|tool| tools::is_changed(tool))
        .collect();
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(&changed);
        return Ok(Exit::Ok);
    }
    if changed.is_empty() {
        printer.note("every tool reads as it did when it was accepted");
        return Ok(Exit::Ok);
    }
    for tool in changed {
        printer.data(&text(tool));
    }
    printer.note("accept one with `--accept ACTION=SHA256`, as shown");
    Ok(Exit::Ok)
}

/// How it reads now; of what it read when it was accepted, the lines that differ.
fn text(tool: &ConnectorToolView) -> String {
    let (name, sha256) = (printable(&tool.name), printable(&tool.sha256));
    let mut shown = vec![format!("{name}={sha256}")];
    match &tool.changed {
        Some(ChangedDefinition {
            accepted: Some(accepted),
            now,
        }) => shown.extend(differing(&written(accepted), &written(now))),
        _ => shown.extend(tool.description.lines().map(|line| format!("  {line}"))),
    }
    let lines: Vec<String> = shown.iter().map(|line| printable(line)).collect();
    lines.join("\n")
}

/// One member to a line, so that two can be compared.
fn written(definition: &serde_json::Value) -> String {
    serde_json::to_string_pretty(definition).unwrap_or_default()
}

/// Lines of a definition as it is now, with `+` and `-` where it differs from the accepted one.
fn differing(accepted: &str, now: &str) -> Vec<String> {
    let diff = similar::TextDiff::from_lines(accepted, now);
    let line = |change: similar::Change<&str>| {
        let sign = match change.tag() {
            similar::ChangeTag::Equal => ' ',
            similar::ChangeTag::Delete => '-',
            similar::ChangeTag::Insert => '+',
        };
        format!("{sign} {}", change.value().trim_end_matches('\n'))
    };
    diff.iter_all_changes().map(line).collect()
}

/// `ACTION=SHA256`. Neither holds the sign.
fn accepted(text: &str) -> Result<AcceptedTool, String> {
    let (name, sha256) = text.split_once('=').ok_or("must read ACTION=SHA256")?;
    Ok(AcceptedTool {
        name: name.to_owned(),
        sha256: sha256.to_owned(),
    })
}
