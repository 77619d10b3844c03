//! `proliferate automation show`.

use domain::id::AutomationId;

use super::fields::RECORD;
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    failure::Outcome,
    fields::show_from,
};

/// Show an automation.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The automation's id, a part of it, or its name
    id: Selector<AutomationId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/automations/{}", args.id.resolve(&client).await?);
    show_from(context, &client, &path, &RECORD).await
}
