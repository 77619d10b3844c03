//! `proliferate action deny`.

use domain::id::InvocationId;
use wire::action::{DenyRequest, InvocationResponse};

use super::{client, decision, fetch, name};
use crate::{
    client::EndpointArgs,
    context::Context,
    exit::Exit,
    failure::Outcome,
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
    let shown = fetch(&client, args.id).await?;
    let request = DenyRequest {
        reason: args.reason,
    };
    let denied: InvocationResponse = client.post(&decision(&shown, "deny"), &request).await?;
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
