//! `proliferate connector review`.

use domain::id::ConnectorId;
use wire::connector::{
    AcceptedTool, ChangedDefinition, ConnectorToolView, ReviewConnectorRequest,
    ValidateConnectorRequest, ValidateConnectorResponse,
};

use super::{
    requests::{config_of, fetch},
    tools,
};
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::{Output, printable},
    screen_rows,
};

/// Show tools whose definitions no admin has accepted as they read now, or accept them.
///
/// One that reads differently than when it was accepted asks for approval at least, whatever was set for it. One that
/// no admin ever accepted is covered by no grant from before it was first seen.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The connector's id, a part of it, or its name
    id: Selector<ConnectorId>,
    /// A definition to accept, as it was shown; may be given several times
    #[arg(long, value_name = "ACTION=SHA256", value_parser = accepted)]
    accept: Vec<AcceptedTool>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let found: ValidateConnectorResponse = if args.accept.is_empty() {
        let connector = config_of(fetch(&client, id).await?);
        let request = ValidateConnectorRequest { connector };
        client.post("/v1/connectors/validate", &request).await?
    } else {
        let path = format!("/v1/connectors/{id}/review");
        let request = ReviewConnectorRequest { tools: args.accept };
        client.post(&path, &request).await?
    };
    if let Some(failure) = tools::failure(&found) {
        return Err(failure);
    }
    let unaccepted: Vec<&ConnectorToolView> = found
        .tools
        .iter()
        .filter(|tool| tools::is_changed(tool) || tool.reviewed_by.is_none())
        .collect();
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(&unaccepted);
        return Ok(Exit::Ok);
    }
    if unaccepted.is_empty() {
        printer.note("every tool reads as it did when it was accepted");
        return Ok(Exit::Ok);
    }
    for tool in unaccepted {
        printer.data(&text(tool, screen_rows::columns()));
    }
    printer.note("accept one with `--accept ACTION=SHA256`, as shown");
    Ok(Exit::Ok)
}

/// The whole definition as it reads now, with the lines that differ from the accepted one. Without a definition there
/// is no digest either: what is accepted is what was on the screen.
fn text(tool: &ConnectorToolView, columns: usize) -> String {
    let name = printable(&tool.name);
    let (accepted, now) = match &tool.changed {
        Some(ChangedDefinition { accepted, now }) => (accepted.as_ref(), Some(now)),
        None => (None, tool.definition.as_ref()),
    };
    let Some(now) = now else {
        return format!("{name}\n  the gateway does not give its definition");
    };
    let mut shown = vec![format!("{name}={}", printable(&tool.sha256))];
    let accepted = accepted.map_or_else(|| written(now), written);
    for (sign, line) in differing(&accepted, &written(now)) {
        shown.extend(screen_rows::marked(&printable(&line), sign, ": ", columns));
    }
    shown.join("\n")
}

/// One member to a line, so that two can be compared.
fn written(definition: &serde_json::Value) -> String {
    serde_json::to_string_pretty(definition).unwrap_or_default()
}

/// Lines of a definition as it is now, with `+` and `-` where it differs from the accepted one.
fn differing(accepted: &str, now: &str) -> Vec<(&'static str, String)> {
    let diff = similar::TextDiff::from_lines(accepted, now);
    let line = |change: similar::Change<&str>| {
        let sign = match change.tag() {
            similar::ChangeTag::Equal => "  ",
            similar::ChangeTag::Delete => "- ",
            similar::ChangeTag::Insert => "+ ",
        };
        (sign, change.value().trim_end_matches('\n').to_owned())
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn tool(definition: &Value) -> ConnectorToolView {
        serde_json::from_value(json!({
            "name": "look", "tool": "look", "description": "Looks.", "riskLevel": "write", "riskSource": "fallback",
            "params": [], "state": "unchanged", "sha256": "a".repeat(64), "pinnedSha256": "a".repeat(64),
            "firstSeenAt": null, "reviewedBy": null, "reviewedAt": null, "definition": definition,
        }))
        .unwrap()
    }

    #[test]
    fn all_that_the_digest_stands_for_is_shown_and_every_row_has_its_mark() {
        let fake = format!("{}look={}", "x".repeat(60), "b".repeat(64));
        let definition = json!({
            "name": "look", "description": format!("Looks.\u{202e}\n{fake}"),
            "inputSchema": {"type": "object", "properties": {"deep": {"description": "input"}}},
            "outputSchema": {"description": "output"}, "annotations": {"readOnlyHint": true},
        });
        let shown = text(&tool(&definition), 80);
        let (head, rows) = shown.split_once('\n').unwrap();
        assert_eq!(head, format!("look={}", "a".repeat(64)));
        for row in rows.lines() {
            assert!(row.starts_with("  ") || row.starts_with(": "), "{row}");
            assert!(screen_rows::width(row) <= 80, "{row}");
        }
        for part in ["Looks.\\u{202e}", "deep", "input", "output", "readOnlyHint"] {
            assert!(rows.contains(part), "{part}: {rows}");
        }
    }

    #[test]
    fn without_a_definition_there_is_no_digest_to_accept() {
        let shown = text(&tool(&Value::Null), 80);
        assert!(!shown.contains("aaaa"), "{shown}");
    }
}
