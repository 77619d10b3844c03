//! `proliferate automation remove`.

use domain::id::AutomationId;
use reqwest::Method;

use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Remove an automation with the record of its runs, unless one is going on. Their sessions stay.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The automation's id
    id: AutomationId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let path = format!("/v1/automations/{}", args.id);
    connect(context, args.endpoint)?
        .send_empty(Method::DELETE, &path)
        .await?;
    context.printer.note(&format!("{} is gone", args.id));
    Ok(Exit::Ok)
}
