//! `proliferate webhook redeliver`.

use domain::id::{DeliveryId, WebhookId};
use wire::webhook::WebhookDeliveryView;

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Send a notice again that a receiver did not accept. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The webhook's id, a part of it, or its URL
    #[arg(value_name = "WEBHOOK")]
    id: Selector<WebhookId>,
    /// The delivery's id, as `webhook deliveries` lists it
    delivery: DeliveryId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let (id, delivery) = (args.id.resolve(&client).await?, args.delivery);
    let path = format!("/v1/webhooks/{id}/deliveries/{delivery}/redeliver");
    let requested: WebhookDeliveryView = client.post_once(&path, &serde_json::json!({})).await?;
    context
        .printer
        .changed(&requested, |_| format!("{delivery} is sent again"));
    Ok(Exit::Ok)
}
