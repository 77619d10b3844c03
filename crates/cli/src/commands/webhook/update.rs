//! `proliferate webhook update`.

use domain::{id::WebhookId, notice::NoticeKind};
use wire::webhook::UpdateWebhookRequest;

use super::fields::RECORD;
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    value_parsers::one_of,
};

/// Change a webhook. What is not given stays. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The webhook's id, a part of it, or its URL
    #[arg(value_name = "WEBHOOK")]
    id: Selector<WebhookId>,
    /// Where notices are sent
    #[arg(long, value_name = "ADDRESS")]
    receiver: Option<String>,
    /// A notice that is sent, in place of those until now; may be given several times
    #[arg(long = "event", value_name = "EVENT")]
    #[arg(value_parser = one_of(NoticeKind::ALL, NoticeKind::as_str))]
    events: Vec<NoticeKind>,
    /// Notices are sent
    #[arg(long, conflicts_with = "disable")]
    enable: bool,
    /// None is
    #[arg(long)]
    disable: bool,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let events: Vec<_> = args.events.into_iter().map(Into::into).collect();
    let request = UpdateWebhookRequest {
        url: args.receiver,
        events: (!events.is_empty()).then_some(events),
        enabled: (args.enable || args.disable).then_some(args.enable),
    };
    if request == UpdateWebhookRequest::default() {
        let hint = "`proliferate webhook update --help` lists what can be changed.";
        return Err(Failure::new(Exit::Usage, "say what to change").hint(hint));
    }
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/webhooks/{}", args.id.resolve(&client).await?);
    let updated = client.patch(&path, &request).await?;
    RECORD.print(context.printer, &updated);
    Ok(Exit::Ok)
}
