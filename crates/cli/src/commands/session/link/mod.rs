//! `proliferate session link`: share links of a session's transcript.

mod create;
mod list;
mod revoke;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Share a transcript, read-only, with readers who have no account.
///
/// For the creator of the session and admins. A reader sees what was said and done, without secrets, until the link
/// expires or is revoked. Who made a link, and each opening within an hour, is in the audit log.
#[derive(Debug, Subcommand)]
pub enum LinkCommand {
    Create(create::Args),
    List(list::Args),
    Revoke(revoke::Args),
}

pub(super) async fn run(context: &Context, command: LinkCommand) -> Outcome {
    match command {
        LinkCommand::Create(args) => create::run(context, args).await,
        LinkCommand::List(args) => list::run(context, args).await,
        LinkCommand::Revoke(args) => revoke::run(context, args).await,
    }
}
