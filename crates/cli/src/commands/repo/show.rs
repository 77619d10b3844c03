//! `proliferate repo show`.

use domain::id::RepoId;

use super::fields::RECORD;
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    failure::Outcome,
    fields::show_from,
};

/// Show a code repository.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The repo's id, a part of it, or its name
    #[arg(value_name = "REPO")]
    id: Selector<RepoId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/repos/{}", args.id.resolve(&client).await?);
    show_from(context, &client, &path, &RECORD).await
}
