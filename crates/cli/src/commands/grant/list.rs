//! `proliferate grant list`.

use wire::{
    grant::GrantView,
    page::{ListQuery, Page},
};

use super::{calls, client, end, name, scope};
use crate::{
    client::{EndpointArgs, PageArgs},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
};

/// List grants, newest first: what is allowed, by whom, and how often it was used.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let query = ListQuery {
        cursor: args.page.cursor,
        limit: args.page.limit,
    };
    let page: Page<GrantView> = client.get("/v1/grants", &query).await?;
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(&page);
        return Ok(Exit::Ok);
    }
    let row = |grant: &GrantView| {
        vec![
            grant.id.to_string(),
            name(&grant.integration, &grant.action),
            calls(grant),
            end(grant).unwrap_or_else(|| "-".to_owned()),
            grant.created_by.clone(),
            scope(grant),
        ]
    };
    let rows: Vec<_> = page.items.iter().map(row).collect();
    let headings = ["ID", "ACTION", "CALLS", "UNTIL", "BY", "SCOPE"];
    printer.table(&headings, &rows, "no grants");
    printer.more(page.next_cursor.as_deref());
    Ok(Exit::Ok)
}
