//! `proliferate grant create`.

use wire::grant::GrantView;

use super::draft::Draft;
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Make a grant and print its id. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    draft: Draft,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let request = args.draft.request(context, &client).await?;
    // Sent once: a second one would be a second budget.
    let grant: GrantView = client.post_once("/v1/grants", &request).await?;
    context.printer.result(&grant, |grant| grant.id.to_string());
    Ok(Exit::Ok)
}
