//! `proliferate job`: durable jobs, as a client of a gateway.

mod list;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// See what waits to be done for the organization's sessions, and what became of it, through a gateway.
///
/// For admins.
#[derive(Debug, Subcommand)]
pub enum JobCommand {
    List(list::Args),
}

pub async fn run(context: &Context, command: JobCommand) -> Outcome {
    match command {
        JobCommand::List(args) => list::run(context, args).await,
    }
}
