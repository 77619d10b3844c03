//! `proliferate action deny`.

use domain::id::InvocationId;
use wire::action::{DenyRequest, InvocationResponse};

use super::{client, decision, fetch, name};
use crate::{
    client::{Client, EndpointArgs},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    printer::{Output, printable},
};

/// Deny what an agent asked for.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The invocation's id
    id: InvocationId,
    /// What the agent is told
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let denied = deny_with(&client, args.id, args.reason).await?;
    let printer = &context.printer;
    match printer.output {
        Output::Json => printer.json(&denied),
        Output::Table => {
            let name = name(&denied.invocation);
            printer.note(&format!("{} is denied", printable(&name)));
        }
    }
    Ok(Exit::Ok)
}

/// Denies it, with a reason or without.
pub(crate) async fn deny_with(
    client: &Client,
    id: InvocationId,
    reason: Option<String>,
) -> Result<InvocationResponse, Failure> {
    let shown = fetch(client, id).await?;
    let path = decision(&shown, "deny");
    client.post(&path, &DenyRequest { reason }).await
}
