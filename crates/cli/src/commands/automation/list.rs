//! `proliferate automation list`.

use wire::{
    automation::AutomationView,
    page::{ListQuery, Page},
};

use super::{client, enabled, seconds};
use crate::{
    client::{EndpointArgs, PageArgs},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
};

/// List automations, newest first.
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
    let page: Page<AutomationView> = client.get("/v1/automations", &query).await?;
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(&page);
        return Ok(Exit::Ok);
    }
    let row = |automation: &AutomationView| {
        vec![
            automation.id.to_string(),
            enabled(automation).to_owned(),
            automation.model_id.clone(),
            seconds(automation.created_at),
            automation.name.clone(),
        ]
    };
    let rows: Vec<_> = page.items.iter().map(row).collect();
    let headings = ["ID", "ENABLED", "MODEL", "CREATED", "NAME"];
    printer.table(&headings, &rows, "no automations");
    printer.more(page.next_cursor.as_deref());
    Ok(Exit::Ok)
}
