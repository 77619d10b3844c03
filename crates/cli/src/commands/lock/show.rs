//! `proliferate lock show`.

use super::fields::{PATH, RECORD};
use crate::{client::EndpointArgs, context::Context, failure::Outcome, fields::run_show};

/// Show whether calls are locked, by whom and why, and which lanes pass all the same.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    run_show(context, args.endpoint, PATH, &RECORD).await
}
