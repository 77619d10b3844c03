//! `proliferate lock show`.

use wire::safety_lock::SafetyLockView;

use super::{client, print};
use crate::{client::EndpointArgs, context::Context, exit::Exit, failure::Outcome};

/// Show whether calls are locked, by whom and why, and which lanes pass all the same.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let view: SafetyLockView = client.get("/v1/safety-lock", &()).await?;
    print(context, &view);
    Ok(Exit::Ok)
}
