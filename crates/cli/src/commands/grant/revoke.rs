//! `proliferate grant revoke`.

use domain::id::GrantId;
use wire::grant::GrantView;

use super::client;
use crate::{
    client::EndpointArgs, context::Context, exit::Exit, failure::Outcome, printer::Output,
};

/// Withdraw a grant: no call begins under it any more. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The grant's id
    id: GrantId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let grant: GrantView = client.delete(&format!("/v1/grants/{}", args.id)).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&grant),
        Output::Table => context.printer.note(&format!("{} is revoked", args.id)),
    }
    Ok(Exit::Ok)
}
