//! `proliferate member invitations`.

use wire::page::ListQuery;

use super::fields::{INVITATION_LIST, INVITATIONS};
use crate::{
    client::{EndpointArgs, PageArgs},
    context::Context,
    failure::Outcome,
    fields::run_list,
};

/// List invitations that were neither accepted nor revoked, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let Args { page, endpoint } = args;
    let list = &INVITATION_LIST;
    run_list(context, endpoint, INVITATIONS, page, ListQuery::from, list).await
}
