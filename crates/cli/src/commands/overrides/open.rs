//! `proliferate override open`.

use domain::policy::LaneId;
use wire::override_ticket::{OpenOverrideTicketRequest, OverrideTicketView};

use super::fields::PATH;
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
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
    let client = connect(context, args.endpoint)?;
    let request = OpenOverrideTicketRequest {
        lane_id: args.lane.to_string(),
        reason: args.reason,
        minutes: args.minutes,
    };
    // Sent once: a second one would be a second ticket.
    let ticket: OverrideTicketView = client.post_once(PATH, &request).await?;
    context
        .printer
        .result(&ticket, |ticket| ticket.id.to_string());
    context.printer.note("another admin has to approve it");
    Ok(Exit::Ok)
}
