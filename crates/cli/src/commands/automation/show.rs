//! `proliferate automation show`.

use domain::id::AutomationId;

use super::fields::RECORD;
use crate::{client::EndpointArgs, context::Context, failure::Outcome, fields::run_show};

/// Show an automation.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The automation's id
    id: AutomationId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let path = format!("/v1/automations/{}", args.id);
    run_show(context, args.endpoint, &path, &RECORD).await
}
