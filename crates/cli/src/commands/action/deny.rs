//! `proliferate action deny`.

use domain::id::InvocationId;
use wire::action::{DenyRequest, InvocationResponse};

use super::{Seen, client, fetch, name};
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
    let client = client(context, args.endpoint)?;
    let shown = fetch(&client, args.id).await?;
    let seen = Seen {
        session_id: shown.session_id,
        invocation_id: shown.id,
        call_sha256: args.call.unwrap_or_default(),
    };
    let denied = deny_seen(&client, &seen, args.reason).await?;
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

/// Denies a call, with a reason or without. Without a digest whichever call waits under the id is denied.
pub(crate) async fn deny_seen(
    client: &Client,
    seen: &Seen,
    reason: Option<String>,
) -> Result<InvocationResponse, Failure> {
    let call_sha256 = Some(seen.call_sha256.clone()).filter(|digest| !digest.is_empty());
    let request = DenyRequest {
        reason,
        call_sha256,
    };
    client.post(&seen.path("deny"), &request).await
}
