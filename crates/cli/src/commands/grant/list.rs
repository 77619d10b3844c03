//! `proliferate grant list`.

use wire::page::ListQuery;

use super::fields::LIST;
use crate::{
    client::{EndpointArgs, PageArgs},
    context::Context,
    failure::Outcome,
    fields::run_list,
};

/// List grants, newest first: what is allowed, by whom, and how often it was used.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let Args { page, endpoint } = args;
    run_list(
        context,
        endpoint,
        "/v1/grants",
        page,
        ListQuery::from,
        &LIST,
    )
    .await
}
