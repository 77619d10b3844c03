//! `proliferate automation runs`.

use domain::id::AutomationId;
use wire::page::ListQuery;

use super::fields::RUNS;
use crate::{
    client::{EndpointArgs, PageArgs, Selector, connect},
    context::Context,
    failure::Outcome,
    fields::list_from,
};

/// List the runs of an automation, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The automation's id, a part of it, or its name
    id: Selector<AutomationId>,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let Args { id, page, endpoint } = args;
    let client = connect(context, endpoint)?;
    let id = id.resolve(&client).await?;
    let path = format!("/v1/automations/{id}/runs");
    list_from(context, &client, &path, page, ListQuery::from, &RUNS).await
}
