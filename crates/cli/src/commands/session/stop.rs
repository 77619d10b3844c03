//! `proliferate session stop`.

use domain::id::SessionId;
use wire::session::SessionView;

use super::{client, status};
use crate::{
    client::EndpointArgs, context::Context, exit::Exit, failure::Outcome, printer::Output,
};

/// Stop a session for good; stopping it again changes nothing.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id
    id: SessionId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let session: SessionView = client.delete(&format!("/v1/sessions/{}", args.id)).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&session),
        Output::Table => context
            .printer
            .note(&format!("{} is {}", session.id, status(&session))),
    }
    Ok(Exit::Ok)
}
