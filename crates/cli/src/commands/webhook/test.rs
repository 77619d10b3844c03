//! `proliferate webhook test`.

use domain::id::WebhookId;
use wire::webhook::TestWebhookResponse;

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    printer::Output,
};

/// Send a test notice now, and say what the receiver answered. Fails unless it accepted it.
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
    let path = format!("/v1/webhooks/{}/test", args.id.resolve(&client).await?);
    let tested: TestWebhookResponse = client.post_once(&path, &serde_json::json!({})).await?;
    let printer = context.printer;
    let answer = tested.response_status.map_or_else(
        || "no answer".to_owned(),
        |status| format!("status {status}"),
    );
    let answer = format!("{answer} after {} ms", tested.duration_ms);
    if printer.output == Output::Json {
        printer.json(&tested);
    } else if tested.accepted {
        printer.note(&format!("accepted: {answer}"));
    } else {
        let mut failure = Failure::new(
            Exit::Failed,
            format!("the receiver did not accept it: {answer}"),
        );
        failure.causes.extend(tested.error);
        return Err(failure);
    }
    Ok(if tested.accepted {
        Exit::Ok
    } else {
        Exit::Failed
    })
}
