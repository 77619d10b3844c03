//! `proliferate session migrate`.

use domain::id::SessionId;
use wire::job::{MigrationAccepted, MigrationKind};

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Move a session to a fresh sandbox, with its files and its conversation.
///
/// For admins. Prompts wait meanwhile. A session that is not in use is saved and paused instead. Does not wait for the
/// end: `session show` and `session logs` show it.
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
    let path = format!("/v1/sessions/{id}/migrate");
    // Sent again, it would be a second move.
    let accepted: MigrationAccepted = client.post_once(&path, &()).await?;
    context
        .printer
        .changed(&accepted, |accepted| match accepted.how {
            MigrationKind::Move => format!("{id} moves to a fresh sandbox"),
            MigrationKind::Pause => format!("{id} is not in use: it is saved and paused"),
        });
    Ok(Exit::Ok)
}
