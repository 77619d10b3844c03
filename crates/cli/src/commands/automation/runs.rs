//! `proliferate automation runs`.

use domain::id::AutomationId;
use wire::page::ListQuery;

use super::fields::RUNS;
use crate::{
    client::{EndpointArgs, PageArgs},
    context::Context,
    failure::Outcome,
    fields::run_list,
};

/// List the runs of an automation, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The automation's id
    id: AutomationId,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let Args { id, page, endpoint } = args;
    let path = format!("/v1/automations/{id}/runs");
    run_list(context, endpoint, &path, page, ListQuery::from, &RUNS).await
}
