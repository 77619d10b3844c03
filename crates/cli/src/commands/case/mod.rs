//! `proliferate case`: cases, as a client of a gateway.

mod add_meeting;
mod create;
mod list;
mod members;
mod show;

use clap::Subcommand;

use crate::{client::connect as client, context::Context, failure::Outcome};

/// Open cases and say who works on them, through a gateway.
///
/// Only members see a case; whoever opens one is its first.
#[derive(Debug, Subcommand)]
pub enum Command {
    Create(create::Args),
    List(list::Args),
    Show(show::Args),
    AddMember(members::AddArgs),
    RemoveMember(members::RemoveArgs),
    AddMeeting(add_meeting::Args),
}

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::Create(args) => create::run(context, args).await,
        Command::List(args) => list::run(context, args).await,
        Command::Show(args) => show::run(context, args).await,
        Command::AddMember(args) => members::add(context, args).await,
        Command::RemoveMember(args) => members::remove(context, args).await,
        Command::AddMeeting(args) => add_meeting::run(context, args).await,
    }
}
