//! `proliferate case show`.

use domain::policy::CaseId;

use super::fields::RECORD;
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    failure::Outcome,
    fields::show_from,
};

/// Show a case, its members and its meetings.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The case's id, a part of it, or its title
    id: Selector<CaseId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/cases/{}", args.id.resolve(&client).await?);
    show_from(context, &client, &path, &RECORD).await
}
