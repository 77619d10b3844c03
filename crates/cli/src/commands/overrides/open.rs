//! `proliferate override open`.

use domain::policy::LaneId;
use wire::override_ticket::{OpenOverrideTicketRequest, OverrideTicketView};

use super::client;
use crate::{
    client::EndpointArgs, context::Context, exit::Exit, failure::Outcome, printer::Output,
};

/// Open a ticket for a lane and print its id. Another admin has to approve it. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The lane whose calls should pass the lock
    #[arg(long, value_name = "LANE")]
    lane: LaneId,
    /// How long, from the moment the ticket is used; at most 60
    #[arg(long, value_name = "NUMBER")]
    minutes: u32,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let request = OpenOverrideTicketRequest {
        lane_id: args.lane.to_string(),
        reason: args.reason,
        minutes: args.minutes,
    };
    // Sent once: a second one would be a second ticket.
    let ticket: OverrideTicketView = client.post_once("/v1/override-tickets", &request).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&ticket),
        Output::Table => context.printer.data(&ticket.id.to_string()),
    }
    context.printer.note("another admin has to approve it");
    Ok(Exit::Ok)
}
