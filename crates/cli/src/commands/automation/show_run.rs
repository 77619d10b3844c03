//! `proliferate automation show-run`.

use domain::id::AutomationRunId;

use super::fields::RUN_RECORD;
use crate::{client::EndpointArgs, context::Context, failure::Outcome, fields::run_show};

/// Show a run of an automation: where its agent works, how it stands, and what the agent said of it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run's id
    id: AutomationRunId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let path = format!("/v1/automation-runs/{}", args.id);
    run_show(context, args.endpoint, &path, &RUN_RECORD).await
}
