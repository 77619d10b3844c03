//! `proliferate case add-meeting`.

use domain::policy::{CaseId, ClientSessionId};
use wire::case::{ClientSessionView, CreateClientSessionRequest};

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Add a meeting with the client to a case and print its id.
///
/// Lanes that record interviews want one: `--scope client_session_id=ID`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The case's id, a part of it, or its title
    id: Selector<CaseId>,
    /// The meeting's id: 4 to 120 letters, digits, `_`, `-` (default: one is made up)
    meeting: Option<ClientSessionId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    // Chosen here, so that sending it again cannot add a second one.
    let made_up = || context.random_name::<10>("meeting");
    let request = CreateClientSessionRequest {
        id: Some(args.meeting.map_or_else(made_up, |id| id.to_string())),
    };
    let id = args.id.resolve(&client).await?;
    let path = format!("/v1/cases/{id}/client-sessions");
    let meeting: ClientSessionView = client.post(&path, &request).await?;
    context
        .printer
        .result(&meeting, |meeting| meeting.id.clone());
    Ok(Exit::Ok)
}
