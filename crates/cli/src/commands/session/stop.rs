//! `proliferate session stop`.

use domain::id::SessionId;
use wire::session::SessionView;

use super::fields::status;
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Stop a session for good; stopping it again changes nothing.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id, a part of it, or its title
    id: Selector<SessionId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let session: SessionView = client.delete(&format!("/v1/sessions/{id}")).await?;
    context.printer.changed(&session, |session| {
        format!("{} is {}", session.id, status(session))
    });
    Ok(Exit::Ok)
}
