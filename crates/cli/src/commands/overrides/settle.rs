//! `proliferate override approve` and `close`.

use domain::id::OverrideTicketId;
use wire::override_ticket::OverrideTicketView;

use super::{client, path, print};
use crate::{client::EndpointArgs, context::Context, exit::Exit, failure::Outcome};

/// Approve a ticket that another admin opened. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct ApproveArgs {
    /// The ticket's id
    id: OverrideTicketId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// End a ticket that nobody used. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct CloseArgs {
    /// The ticket's id
    id: OverrideTicketId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn approve(context: &Context, args: ApproveArgs) -> Outcome {
    settle(context, args.endpoint, args.id, "approve").await
}

pub(super) async fn close(context: &Context, args: CloseArgs) -> Outcome {
    settle(context, args.endpoint, args.id, "close").await
}

async fn settle(
    context: &Context,
    endpoint: EndpointArgs,
    id: OverrideTicketId,
    way: &str,
) -> Outcome {
    let client = client(context, endpoint)?;
    let path = format!("{}/{way}", path(id));
    let ticket: OverrideTicketView = client.post_once(&path, &serde_json::json!({})).await?;
    print(context, &ticket);
    Ok(Exit::Ok)
}
