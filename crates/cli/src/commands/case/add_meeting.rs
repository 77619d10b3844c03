//! `proliferate case add-meeting`.

use domain::{
    clock::random_bytes,
    policy::{CaseId, ClientSessionId},
};
use wire::case::{ClientSessionView, CreateClientSessionRequest};

use super::client;
use crate::{
    client::EndpointArgs, context::Context, exit::Exit, failure::Outcome, printer::Output,
};

/// Add a meeting with the client to a case and print its id.
///
/// Lanes that record interviews want one: `--scope client_session_id=ID`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The case's id
    id: CaseId,
    /// The meeting's id: 4 to 120 letters, digits, `_`, `-` (default: one is made up)
    meeting: Option<ClientSessionId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    // Chosen here, so that sending it again cannot add a second one.
    let made_up = || {
        let random = random_bytes::<10>(&*context.entropy);
        format!("meeting-{}", hex::encode(random))
    };
    let request = CreateClientSessionRequest {
        id: Some(args.meeting.map_or_else(made_up, |id| id.to_string())),
    };
    let path = format!("/v1/cases/{}/client-sessions", args.id);
    let meeting: ClientSessionView = client.post(&path, &request).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&meeting),
        Output::Table => context.printer.data(&meeting.id),
    }
    Ok(Exit::Ok)
}
