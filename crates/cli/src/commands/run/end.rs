//! `proliferate run end`.

use domain::id::RunId;
use wire::contract::{EndRunRequest, RunEndStatus, RunView};

use super::{client, report};
use crate::{
    client::{Client, EndpointArgs},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
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
    let client = client(context, args.endpoint)?;
    let status = if args.failed {
        RunEndStatus::Failed
    } else {
        RunEndStatus::Completed
    };
    report(context, &end(&client, args.id, status).await?);
    Ok(Exit::Ok)
}

pub(in crate::commands) async fn end(
    client: &Client,
    id: RunId,
    status: RunEndStatus,
) -> Result<RunView, Failure> {
    let path = format!("/v1/runs/{id}/end");
    client.post(&path, &EndRunRequest { status }).await
}
