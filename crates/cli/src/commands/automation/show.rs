//! `proliferate automation show`.

use domain::id::AutomationId;

use super::{client, report};
use crate::{client::EndpointArgs, context::Context, exit::Exit, failure::Outcome};

/// Show an automation.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The automation's id
    id: AutomationId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let path = format!("/v1/automations/{}", args.id);
    report(context, &client.get(&path, &()).await?);
    Ok(Exit::Ok)
}
