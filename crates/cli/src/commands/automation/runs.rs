//! `proliferate automation runs`.

use domain::id::AutomationId;
use wire::{
    automation::AutomationRunView,
    page::{ListQuery, Page},
};

use super::{client, seconds, status};
use crate::{
    client::{EndpointArgs, PageArgs},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// List the runs of an automation, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The automation's id
    id: AutomationId,
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
    let path = format!("/v1/automations/{}/runs", args.id);
    let page: Page<AutomationRunView> = client.get(&path, &query).await?;
    let row = |run: &AutomationRunView| {
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        vec![
            run.id.to_string(),
            status(run).to_string(),
            seconds(run.created_at),
            or_none(run.completed_at.map(seconds)),
            run.session_id.to_string(),
            or_none(run.status_reason.clone()),
        ]
    };
    let headings = ["ID", "STATUS", "STARTED", "ENDED", "SESSION", "REASON"];
    context.printer.page(&page, &headings, row, "no runs");
    Ok(Exit::Ok)
}
