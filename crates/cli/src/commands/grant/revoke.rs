//! `proliferate grant revoke`.

use domain::id::GrantId;
use wire::grant::GrantView;

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Withdraw a grant: no call begins under it any more. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The grant's id, or a part of it
    id: Selector<GrantId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let grant: GrantView = client.delete(&format!("/v1/grants/{id}")).await?;
    context
        .printer
        .changed(&grant, |_| format!("{id} is revoked"));
    Ok(Exit::Ok)
}
