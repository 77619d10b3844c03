//! `proliferate automation remove`.

use domain::id::AutomationId;
use reqwest::Method;

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Remove an automation with the record of its runs, unless one is going on. Their sessions stay.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The automation's id, a part of it, or its name
    id: Selector<AutomationId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let path = format!("/v1/automations/{id}");
    client.send_empty(Method::DELETE, &path).await?;
    context.printer.note(&format!("{id} is gone"));
    Ok(Exit::Ok)
}
