//! `proliferate case show`.

use domain::policy::CaseId;

use super::fields::RECORD;
use crate::{client::EndpointArgs, context::Context, failure::Outcome, fields::run_show};

/// Show a case, its members and its meetings.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The case's id
    id: CaseId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let path = format!("/v1/cases/{}", args.id);
    run_show(context, args.endpoint, &path, &RECORD).await
}
