//! `proliferate limits show`.

use super::report::{PATH, report};
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Show what the organization may use, who says so, and what it uses now.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    report(context, &client.get(PATH, &()).await?);
    Ok(Exit::Ok)
}
