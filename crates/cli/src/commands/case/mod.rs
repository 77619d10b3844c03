//! `proliferate case`: cases, as a client of a gateway.

mod add_meeting;
mod create;
mod fields;
mod list;
mod members;
mod show;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Open cases and say who works on them, through a gateway.
///
/// Only members see a case; the caller who opens one is its first.
#[derive(Debug, Subcommand)]
pub enum CaseCommand {
    Create(create::Args),
    List(list::Args),
    Show(show::Args),
    AddMember(members::AddArgs),
    RemoveMember(members::RemoveArgs),
    AddMeeting(add_meeting::Args),
}

pub async fn run(context: &Context, command: CaseCommand) -> Outcome {
    match command {
        CaseCommand::Create(args) => create::run(context, args).await,
        CaseCommand::List(args) => list::run(context, args).await,
        CaseCommand::Show(args) => show::run(context, args).await,
        CaseCommand::AddMember(args) => members::add(context, args).await,
        CaseCommand::RemoveMember(args) => members::remove(context, args).await,
        CaseCommand::AddMeeting(args) => add_meeting::run(context, args).await,
    }
}
