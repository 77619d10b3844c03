//! `proliferate session rename`.

use domain::id::SessionId;
use wire::{
    patch::Patch,
    session::{SessionView, UpdateSessionRequest},
};

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Change the title of a session; an empty one takes it away.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id, a part of it, or its title
    id: Selector<SessionId>,
    /// What it is called
    title: String,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/sessions/{}", args.id.resolve(&client).await?);
    let title = if args.title.is_empty() {
        Patch::Clear
    } else {
        Patch::Set(args.title)
    };
    let renamed: SessionView = client.patch(&path, &UpdateSessionRequest { title }).await?;
    context
        .printer
        .changed(&renamed, |renamed| format!("{} is renamed", renamed.id));
    Ok(Exit::Ok)
}
