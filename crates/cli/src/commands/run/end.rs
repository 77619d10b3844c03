//! `proliferate run end`.

use domain::id::RunId;
use wire::contract::RunEndStatus;

use super::requests::{end, report};
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// End a run that was opened: no call can belong to it afterwards.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run's id
    id: RunId,
    /// It did not do what it was for
    #[arg(long)]
    failed: bool,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let status = if args.failed {
        RunEndStatus::Failed
    } else {
        RunEndStatus::Completed
    };
    report(context, &end(&client, args.id, status).await?);
    Ok(Exit::Ok)
}
