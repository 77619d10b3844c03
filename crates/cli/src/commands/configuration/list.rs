//! `proliferate configuration list`.

use wire::page::ListQuery;

use super::fields::LIST;
use crate::{
    client::{EndpointArgs, PageArgs},
    context::Context,
    failure::Outcome,
    fields::run_list,
};

/// List what sessions can start from, newest first.
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
        "/v1/configurations",
        page,
        ListQuery::from,
        &LIST,
    )
    .await
}
