//! `proliferate webhook create`.

use domain::notice::NoticeKind;
use wire::webhook::{CreateWebhookRequest, CreateWebhookResponse};

use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
    value_parsers::one_of,
};

/// Add a webhook and print the secret that its deliveries are signed with.
///
/// The secret is shown this once, alone on standard output; the webhook's id is said beside it. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where notices are sent
    #[arg(value_name = "ADDRESS")]
    receiver: String,
    /// A notice that is sent; may be given several times (default: all)
    #[arg(long = "event", value_name = "EVENT")]
    #[arg(value_parser = one_of(NoticeKind::ALL, NoticeKind::as_str))]
    events: Vec<NoticeKind>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let events: Vec<_> = args.events.into_iter().map(Into::into).collect();
    let request = CreateWebhookRequest {
        url: args.receiver,
        events: (!events.is_empty()).then_some(events),
    };
    let client = connect(context, args.endpoint)?;
    // Sent once: sent again it would be a second one.
    let created: CreateWebhookResponse = client.post_once("/v1/webhooks", &request).await?;
    let printer = context.printer;
    printer.result(&created, |created| created.secret.expose().to_owned());
    if printer.output == Output::Table {
        let id = created.webhook.id;
        printer.note(&format!(
            "webhook {id} is added; its secret is not shown again"
        ));
    }
    Ok(Exit::Ok)
}
