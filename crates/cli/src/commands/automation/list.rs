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
    let row = |automation: &AutomationView| {
        vec![
            automation.id.to_string(),
            enabled(automation).to_owned(),
            automation.model_id.clone(),
            seconds(automation.created_at),
            automation.name.clone(),
        ]
    };
    let headings = ["ID", "ENABLED", "MODEL", "CREATED", "NAME"];
    context
        .printer
        .page(&page, &headings, row, "no automations");
    Ok(Exit::Ok)
}
