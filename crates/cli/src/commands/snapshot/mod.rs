//! `proliferate snapshot`: saved sandboxes, as a client of a gateway.

mod clear;
mod fields;
mod list;
mod select;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// See the saved sandboxes of a session or a configuration, and choose the one that new sessions start from.
#[derive(Debug, Subcommand)]
pub enum SnapshotCommand {
    List(list::Args),
    Use(select::Args),
    Clear(clear::Args),
}

pub async fn run(context: &Context, command: SnapshotCommand) -> Outcome {
    match command {
        SnapshotCommand::List(args) => list::run(context, args).await,
        SnapshotCommand::Use(args) => select::run(context, args).await,
        SnapshotCommand::Clear(args) => clear::run(context, args).await,
    }
}
