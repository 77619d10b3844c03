//! `proliferate action deny`.

use domain::id::InvocationId;

use super::fields::name;
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    invocations::{self, SeenCall},
    printer::printable,
};

/// Deny what an agent asked for.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The invocation's id, or a part of it
    id: Selector<InvocationId>,
    /// The digest of the call that was looked at; if another call waits, nothing is denied
    #[arg(long, value_name = "SHA256")]
    call: Option<String>,
    /// What the agent is told
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let shown = invocations::fetch(&client, id).await?;
    let seen = SeenCall {
        session_id: shown.session_id,
        invocation_id: shown.id,
        call_sha256: args.call.unwrap_or_default(),
    };
    let denied = invocations::deny(&client, &seen, args.reason).await?;
    context.printer.changed(&denied, |denied| {
        format!("{} is denied", printable(&name(&denied.invocation)))
    });
    Ok(Exit::Ok)
}
