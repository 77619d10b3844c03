//! `proliferate session cancel`.

use domain::id::SessionId;
use reqwest::Method;

use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Stop what a session's agent does. The session goes on.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id
    id: SessionId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!("/proliferate/{}/cancel", args.id);
    client.send_empty(Method::POST, &path).await?;
    context.printer.note("the agent was told to stop");
    Ok(Exit::Ok)
}
