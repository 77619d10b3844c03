//! `proliferate override approve` and `close`.

use domain::id::OverrideTicketId;
use wire::override_ticket::OverrideTicketView;

use super::fields::{RECORD, path_of};
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Approve a ticket that another admin opened. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct ApproveArgs {
    /// The ticket's id, or a part of it
    id: Selector<OverrideTicketId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// End a ticket that was not used. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct CloseArgs {
    /// The ticket's id, or a part of it
    id: Selector<OverrideTicketId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn approve(context: &Context, args: ApproveArgs) -> Outcome {
    settle(context, args.endpoint, &args.id, "approve").await
}

pub(super) async fn close(context: &Context, args: CloseArgs) -> Outcome {
    settle(context, args.endpoint, &args.id, "close").await
}

async fn settle(
    context: &Context,
    endpoint: EndpointArgs,
    id: &Selector<OverrideTicketId>,
    verb: &str,
) -> Outcome {
    let client = connect(context, endpoint)?;
    let path = format!("{}/{verb}", path_of(id.resolve(&client).await?));
    let ticket: OverrideTicketView = client.post_once(&path, &serde_json::json!({})).await?;
    RECORD.print(context.printer, &ticket);
    Ok(Exit::Ok)
}
