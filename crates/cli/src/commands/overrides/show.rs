//! `proliferate override show`.

use domain::id::OverrideTicketId;

use super::fields::{RECORD, path_of};
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    failure::Outcome,
    fields::show_from,
};

/// Show a ticket.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The ticket's id, or a part of it
    id: Selector<OverrideTicketId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = path_of(args.id.resolve(&client).await?);
    show_from(context, &client, &path, &RECORD).await
}
