//! `proliferate grant show`.

use domain::{action::InvocationStatus, id::GrantId};
use serde_json::json;
use wire::{
    action::InvocationView,
    grant::{GrantView, SuspendedActionView},
    page::{ListQuery, Page},
};

use super::{calls, client, end, name, scope};
use crate::{
    client::EndpointArgs,
    commands::session::seconds,
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::{Output, Printer, printable},
};

/// Show a grant and the calls that ran under it, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The grant's id
    id: GrantId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let path = format!("/v1/grants/{}", args.id);
    let grant: GrantView = client.get(&path, &()).await?;
    let query = ListQuery::default();
    let used: Page<InvocationView> = client.get(&format!("{path}/calls"), &query).await?;
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(&json!({"grant": grant, "calls": used}));
        return Ok(Exit::Ok);
    }
    printer.data(&text(&grant));
    suspensions(*printer, &grant);
    let row = |call: &InvocationView| {
        vec![
            call.id.to_string(),
            InvocationStatus::from(call.status).to_string(),
            seconds(call.created_at),
            name(&call.integration, &call.action),
        ]
    };
    let rows: Vec<_> = used.items.iter().map(row).collect();
    printer.table(&["CALL", "STATUS", "CREATED", "ACTION"], &rows, "no calls");
    if used.next_cursor.is_some() {
        printer.note("there are more calls; the API has all of them");
    }
    Ok(Exit::Ok)
}

/// What it does not cover any more, and what to do about it.
fn suspensions(printer: Printer, grant: &GrantView) {
    if grant.suspended.is_empty() {
        if grant.suspended_truncated {
            printer.note("there are too many changed tools to say what it does not cover");
        }
        return;
    }
    let short = |digest: &str| digest.chars().take(12).collect::<String>();
    let row = |one: &SuspendedActionView| {
        vec![
            name(&one.integration, &one.action),
            one.given_for_sha256
                .as_deref()
                .map_or_else(|| "-".to_owned(), short),
            short(&one.now_sha256),
            one.message.clone(),
        ]
    };
    let rows: Vec<_> = grant.suspended.iter().map(row).collect();
    printer.table(&["SUSPENDED FOR", "GIVEN FOR", "NOW", "BECAUSE"], &rows, "");
    if grant.suspended_truncated {
        printer.note("there is more that it does not cover");
    }
    // No digest to accept: only what is read in the review names one.
    let of_server = |one: &SuspendedActionView| {
        let id = printable(one.integration.strip_prefix("connector:")?);
        Some(format!(
            "`proliferate connector review {id}` shows what each reads now, and how to accept it"
        ))
    };
    if let Some(hint) = grant.suspended.iter().find_map(of_server) {
        printer.note(&hint);
    }
}

/// One line per fact that is there.
fn text(grant: &GrantView) -> String {
    // Our own shapes: they can be written.
    let predicate = |one| serde_json::to_string(one).unwrap_or_default();
    let predicates: Vec<String> = grant.predicates.iter().map(predicate).collect();
    let facts = [
        ("id", Some(grant.id.to_string())),
        ("action", Some(name(&grant.integration, &grant.action))),
        ("scope", Some(scope(grant))),
        ("calls", Some(calls(grant))),
        (
            "only if",
            (!predicates.is_empty()).then(|| predicates.join(" and ")),
        ),
        ("given for", grant.definition_sha256.clone()),
        ("until", end(grant)),
        ("last used", grant.last_used_at.map(seconds)),
        ("by", Some(grant.created_by.clone())),
        ("created", Some(seconds(grant.created_at))),
    ];
    let lines: Vec<String> = facts
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name:<14} {}", printable(&value?))))
        .collect();
    lines.join("\n")
}
