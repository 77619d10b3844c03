//! `proliferate override show`.

use domain::id::OverrideTicketId;

use super::fields::{RECORD, path_of};
use crate::{client::EndpointArgs, context::Context, failure::Outcome, fields::run_show};

/// Show a ticket.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The ticket's id
    id: OverrideTicketId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    run_show(context, args.endpoint, &path_of(args.id), &RECORD).await
}
