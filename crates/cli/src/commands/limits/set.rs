//! `proliferate limits set`.

use wire::organization_limits::OrganizationLimitsView;

use super::{
    change::ChangeArgs,
    report::{PATH, report},
};
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Choose limits of the organization, each at most the operator's ceiling. Recorded in the audit log.
///
/// What is not named stays as it is. What runs when a limit is lowered goes on; nothing further begins.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    change: ChangeArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let before: OrganizationLimitsView = client.get(PATH, &()).await?;
    let request = args.change.applied_to(before.organization.into());
    report(context, &client.put(PATH, &request).await?);
    Ok(Exit::Ok)
}
