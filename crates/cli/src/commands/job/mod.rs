//! `proliferate job`: durable jobs, as a client of a gateway.

mod list;

use clap::Subcommand;

use crate::{client::connect as client, context::Context, failure::Outcome};

/// See what waits to be done for the organization's sessions, and what became of it, through a gateway.
///
/// For admins.
#[derive(Debug, Subcommand)]
pub enum Command {
    List(list::Args),
}

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::List(args) => list::run(context, args).await,
    }
}
