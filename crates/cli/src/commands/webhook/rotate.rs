//! `proliferate webhook rotate`.

use domain::id::WebhookId;
use wire::webhook::RotateWebhookSecretResponse;

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
};

/// Make a new secret for a webhook and print it, alone on standard output. The old one is good for another day. Recorded
/// in the audit log.
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
    let path = format!(
        "/v1/webhooks/{}/rotate-secret",
        args.id.resolve(&client).await?
    );
    // Sent once: sent again it would replace what it just made.
    let rotated: RotateWebhookSecretResponse =
        client.post_once(&path, &serde_json::json!({})).await?;
    let printer = context.printer;
    printer.result(&rotated, |rotated| rotated.secret.expose().to_owned());
    if printer.output == Output::Table {
        printer.note("deliveries are signed with it from now on; it is not shown again");
    }
    Ok(Exit::Ok)
}
