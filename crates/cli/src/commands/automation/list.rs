//! `proliferate automation list`.

use wire::page::ListQuery;

use super::fields::LIST;
use crate::{
    client::{EndpointArgs, PageArgs},
    context::Context,
    failure::Outcome,
    fields::run_list,
};

/// List automations, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let Args { page, endpoint } = args;
    let path = "/v1/automations";
    run_list(context, endpoint, path, page, ListQuery::from, &LIST).await
}
