//! `proliferate run show`.

use domain::id::RunId;

use super::{fields::RECORD, requests::wait_until_ended};
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Show a run: what was called, by whom, in which lane, and how it stands.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run's id
    id: RunId,
    /// Wait until it has ended
    #[arg(long)]
    wait: bool,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let run = if args.wait {
        wait_until_ended(&client, args.id).await?
    } else {
        client.get(&format!("/v1/runs/{}", args.id), &()).await?
    };
    RECORD.print(context.printer, &run);
    Ok(Exit::Ok)
}
