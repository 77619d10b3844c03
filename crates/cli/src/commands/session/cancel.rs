//! `proliferate session cancel`.

use domain::id::SessionId;
use reqwest::Method;

use super::client;
use crate::{client::EndpointArgs, context::Context, exit::Exit, failure::Outcome};

/// Stop what a session's agent does. The session goes on.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id
    id: SessionId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let path = format!("/proliferate/{}/cancel", args.id);
    client.done(Method::POST, &path).await?;
    context.printer.note("the agent was told to stop");
    Ok(Exit::Ok)
}
