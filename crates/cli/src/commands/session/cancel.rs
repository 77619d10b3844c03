//! `proliferate session cancel`.

use domain::id::SessionId;
use reqwest::Method;

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Stop what a session's agent does. The session goes on.
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
    let path = format!("/proliferate/{id}/cancel");
    client.send_empty(Method::POST, &path).await?;
    context.printer.note("the agent was told to stop");
    Ok(Exit::Ok)
}
