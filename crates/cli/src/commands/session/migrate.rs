//! `proliferate session migrate`.

use domain::id::SessionId;
use wire::job::{MigrationAccepted, MigrationKind};

use crate::{
    client::{EndpointArgs, connect},
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
    /// The session's id
    id: SessionId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/sessions/{}/migrate", args.id);
    // Sent again, it would be a second move.
    let accepted: MigrationAccepted = client.post_once(&path, &()).await?;
    let id = args.id;
    context
        .printer
        .changed(&accepted, |accepted| match accepted.how {
            MigrationKind::Move => format!("{id} moves to a fresh sandbox"),
            MigrationKind::Pause => format!("{id} is not in use: it is saved and paused"),
        });
    Ok(Exit::Ok)
}
