//! Tools of a connector in a table, and what is wrong with a server.

use domain::action::{Risk, RiskSource};
use wire::connector::{
    ConnectorToolState, ConnectorToolView, DiagnosticClass, ValidateConnectorResponse,
};

use crate::{
    context::Context,
    exit::Exit,
    failure::Failure,
    fields::{List, text},
    printer::printable,
};

const LIST: List<ConnectorToolView> = List {
    columns: &[
        ("ACTION", |tool| text(&tool.name)),
        ("RISK", |tool| text(&Risk::from(tool.risk_level))),
        ("BECAUSE", |tool| text(why(tool))),
        ("STATE", |tool| text(state(tool))),
        ("DESCRIPTION", |tool| Some(first_line(&tool.description))),
    ],
    none: "no tools",
};

pub(super) fn print(context: &Context, listing: &ValidateConnectorResponse) {
    LIST.print_table(context.printer, &listing.tools);
    for note in &listing.notes {
        context.printer.warning(&printable(note));
    }
    let changed = listing.tools.iter().filter(|tool| is_changed(tool)).count();
    if changed > 0 {
        context.printer.warning(&format!(
            "{changed} read differently than when they were accepted; see `connector review`"
        ));
    }
}

/// How many there are of each risk.
pub(super) fn summary(listing: &ValidateConnectorResponse) -> String {
    let count = |risk: Risk| {
        let alike = |tool: &&ConnectorToolView| Risk::from(tool.risk_level) == risk;
        (risk, listing.tools.iter().filter(alike).count())
    };
    let counted = Risk::ALL.iter().map(|risk| count(*risk));
    let counted: Vec<String> = counted
        .filter(|(_, count)| *count > 0)
        .map(|(risk, count)| format!("{count} {risk}"))
        .collect();
    match counted.as_slice() {
        [] => "no tools".to_owned(),
        _ => format!("tools: {}", counted.join(", ")),
    }
}

/// What is wrong, with the class to look at.
pub(super) fn failure(listing: &ValidateConnectorResponse) -> Option<Failure> {
    let diagnostics = listing.diagnostics.as_ref()?;
    let (exit, hint) = match diagnostics.class {
        DiagnosticClass::Auth => (
            Exit::Failed,
            "look at the secret and at how it is sent (--secret, --header)",
        ),
        DiagnosticClass::Timeout | DiagnosticClass::Unreachable => {
            (Exit::Unavailable, "look whether the server is up")
        }
        DiagnosticClass::Protocol => (
            Exit::Failed,
            "look whether the address is that of an MCP server",
        ),
        DiagnosticClass::Unknown => (Exit::Failed, "look at the connector's settings"),
    };
    let message = format!(
        "the server cannot be used: {}",
        printable(&diagnostics.message)
    );
    Some(Failure::new(exit, message).hint(hint))
}

pub(super) fn is_changed(tool: &ConnectorToolView) -> bool {
    tool.state == ConnectorToolState::Changed
}

fn state(tool: &ConnectorToolView) -> &'static str {
    match tool.state {
        ConnectorToolState::New => "new",
        ConnectorToolState::Unchanged => "unchanged",
        ConnectorToolState::Changed => "changed",
    }
}

fn why(tool: &ConnectorToolView) -> &'static str {
    match RiskSource::from(tool.risk_source) {
        RiskSource::ToolOverride => "set for it",
        RiskSource::DestructiveHint => "server says it destroys",
        RiskSource::ReadOnlyHint => "trusted server says it reads",
        RiskSource::ConnectorDefault => "connector's default",
        RiskSource::Fallback => "nothing is known",
        RiskSource::DefinitionChanged => "definition changed",
    }
}

/// A description may be pages long.
fn first_line(text: &str) -> String {
    const SHOWN: usize = 60;
    let line = text.trim().lines().next().unwrap_or_default();
    let mut short: String = line.chars().take(SHOWN).collect();
    if line.chars().nth(SHOWN).is_some() || text.trim().lines().nth(1).is_some() {
        short.push_str(" ...");
    }
    short
}
