//! `proliferate run cancel`.

use domain::id::RunId;
use wire::contract::RunView;

use super::requests::report;
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Stop a run. What it has done is not undone.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run's id
    id: RunId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/runs/{}/cancel", args.id);
    let run: RunView = client.post(&path, &()).await?;
    report(context, &run);
    Ok(Exit::Ok)
}
