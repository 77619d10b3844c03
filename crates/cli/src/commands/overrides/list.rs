//! `proliferate override list` and `show`.

use domain::id::OverrideTicketId;
use wire::{
    override_ticket::OverrideTicketView,
    page::{ListQuery, Page},
};

use super::{client, path, print, status};
use crate::{
    client::{EndpointArgs, PageArgs},
    commands::session::seconds,
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// List tickets, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// Show a ticket.
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// The ticket's id
    id: OverrideTicketId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let query = ListQuery {
        cursor: args.page.cursor,
        limit: args.page.limit,
    };
    let page: Page<OverrideTicketView> = client.get("/v1/override-tickets", &query).await?;
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let row = |ticket: &OverrideTicketView| {
        vec![
            ticket.id.to_string(),
            status(ticket),
            ticket.lane_id.clone(),
            ticket.minutes.to_string(),
            or_none(ticket.expires_at.map(seconds)),
            ticket.opened_by.clone(),
            or_none(ticket.approved_by.clone()),
        ]
    };
    let headings = [
        "ID",
        "STATUS",
        "LANE",
        "MINUTES",
        "UNTIL",
        "OPENED BY",
        "APPROVED BY",
    ];
    context.printer.page(&page, &headings, row, "no tickets");
    Ok(Exit::Ok)
}

pub(super) async fn show(context: &Context, args: ShowArgs) -> Outcome {
    let client = client(context, args.endpoint)?;
    let ticket: OverrideTicketView = client.get(&path(args.id), &()).await?;
    print(context, &ticket);
    Ok(Exit::Ok)
}
