//! `proliferate webhook show`.

use domain::id::WebhookId;

use super::fields::RECORD;
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    failure::Outcome,
    fields::show_from,
};

/// Show a webhook, and since when its receiver fails.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The webhook's id, a part of it, or its URL
    #[arg(value_name = "WEBHOOK")]
    id: Selector<WebhookId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/webhooks/{}", args.id.resolve(&client).await?);
    show_from(context, &client, &path, &RECORD).await
}
