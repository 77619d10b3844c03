//! `proliferate grant list`.

use wire::{
    grant::GrantView,
    page::{ListQuery, Page},
};

use super::{calls, client, end, name, scope, suspended};
use crate::{
    client::{EndpointArgs, PageArgs},
    context::Context,
    exit::Exit,
    failure::Outcome,
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
    let row = |grant: &GrantView| {
        vec![
            grant.id.to_string(),
            name(&grant.integration, &grant.action),
            calls(grant),
            end(grant).unwrap_or_else(|| "-".to_owned()),
            grant.created_by.clone(),
            scope(grant),
            suspended(grant),
        ]
    };
    let headings = ["ID", "ACTION", "CALLS", "UNTIL", "BY", "SCOPE", "SUSPENDED"];
    context.printer.page(&page, &headings, row, "no grants");
    Ok(Exit::Ok)
}
