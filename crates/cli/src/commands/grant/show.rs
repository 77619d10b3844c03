//! `proliferate grant show`.

use domain::id::GrantId;
use serde_json::json;
use wire::{
    action::InvocationView,
    grant::{GrantView, SuspendedActionView},
    page::{ListQuery, Page},
};

use super::fields::{CALLS, RECORD, SUSPENSIONS};
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::{Output, Printer, printable},
};

/// Show a grant and the calls that ran under it, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The grant's id, or a part of it
    id: Selector<GrantId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let path = format!("/v1/grants/{id}");
    let grant: GrantView = client.get(&path, &()).await?;
    let query = ListQuery::default();
    let used: Page<InvocationView> = client.get(&format!("{path}/calls"), &query).await?;
    let printer = context.printer;
    if printer.output == Output::Json {
        printer.json(&json!({"grant": grant, "calls": used}));
        return Ok(Exit::Ok);
    }
    printer.data(&RECORD.text(&grant));
    print_suspensions(printer, &grant);
    CALLS.print_table(printer, &used.items);
    if used.next_cursor.is_some() {
        printer.note("there are more calls; the API has all of them");
    }
    Ok(Exit::Ok)
}

/// What it does not cover any more, and what to do about it.
fn print_suspensions(printer: Printer, grant: &GrantView) {
    if grant.suspended.is_empty() {
        if grant.suspended_truncated {
            printer.note("there are too many changed tools to say what it does not cover");
        }
        return;
    }
    SUSPENSIONS.print_table(printer, &grant.suspended);
    if grant.suspended_truncated {
        printer.note("there is more that it does not cover");
    }
    // No digest to accept: only what is read in the review names one.
    let of_connector = |one: &SuspendedActionView| {
        let id = printable(one.integration.strip_prefix("connector:")?);
        Some(format!(
            "`proliferate connector review {id}` shows what each reads now, and how to accept it"
        ))
    };
    if let Some(hint) = grant.suspended.iter().find_map(of_connector) {
        printer.note(&hint);
    }
}
