//! `proliferate webhook deliveries`.

use domain::{id::WebhookId, webhook::DeliveryStatus};
use wire::webhook::DeliveryListQuery;

use super::fields::DELIVERIES;
use crate::{
    client::{EndpointArgs, PageArgs, Selector, connect},
    context::Context,
    failure::Outcome,
    fields::list_from,
    value_parsers::one_of,
};

/// List the deliveries of a webhook, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The webhook's id, a part of it, or its URL
    #[arg(value_name = "WEBHOOK")]
    id: Selector<WebhookId>,
    /// Only those in this state
    #[arg(long)]
    #[arg(value_parser = one_of(DeliveryStatus::ALL, DeliveryStatus::as_str))]
    status: Option<DeliveryStatus>,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!(
        "/v1/webhooks/{}/deliveries",
        args.id.resolve(&client).await?
    );
    let query = |page: PageArgs| DeliveryListQuery {
        status: args.status.map(Into::into),
        cursor: page.cursor,
        limit: page.limit,
    };
    list_from(context, &client, &path, args.page, query, &DELIVERIES).await
}
