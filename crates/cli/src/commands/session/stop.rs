//! `proliferate session stop`.

use domain::id::SessionId;
use wire::session::SessionView;

use super::fields::status;
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
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
    let client = connect(context, args.endpoint)?;
    let session: SessionView = client.delete(&format!("/v1/sessions/{}", args.id)).await?;
    context.printer.changed(&session, |session| {
        format!("{} is {}", session.id, status(session))
    });
    Ok(Exit::Ok)
}
