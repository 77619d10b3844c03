//! `proliferate session migrate`.

use domain::id::SessionId;
use wire::job::{MigrationAccepted, MigrationKind};

use super::client;
use crate::{
    client::EndpointArgs, context::Context, exit::Exit, failure::Outcome, printer::Output,
};

/// Move a session to a fresh sandbox, with its files and its conversation.
///
/// For admins. Prompts wait meanwhile. A session that nobody uses is saved and paused instead. Does not wait for the end:
/// `session show` and `session logs` tell it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id
    id: SessionId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let path = format!("/v1/sessions/{}/migrate", args.id);
    // Sent again, it would be a second move.
    let accepted: MigrationAccepted = client.post_once(&path, &()).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&accepted),
        Output::Table => context.printer.note(&told(args.id, accepted.how)),
    }
    Ok(Exit::Ok)
}

fn told(id: SessionId, how: MigrationKind) -> String {
    match how {
        MigrationKind::Move => format!("{id} moves to a fresh sandbox"),
        MigrationKind::Pause => format!("nobody uses {id}: it is saved and paused"),
    }
}
