//! `proliferate webhook delete`.

use domain::id::WebhookId;
use reqwest::Method;

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Delete a webhook and the log of its deliveries. Recorded in the audit log.
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
    let id = args.id.resolve(&client).await?;
    let path = format!("/v1/webhooks/{id}");
    client.send_empty(Method::DELETE, &path).await?;
    context.printer.note(&format!("{id} is deleted"));
    Ok(Exit::Ok)
}
