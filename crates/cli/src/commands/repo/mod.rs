//! `proliferate repo`: code repositories of an organization, as a client of a gateway.

mod create;
mod delete;
mod described;
mod fields;
mod list;
mod show;
mod update;

use clap::Subcommand;

pub(super) use self::described::service_command;
use crate::{context::Context, failure::Outcome};

/// Keep the code repositories that sessions work on, through a gateway.
#[derive(Debug, Subcommand)]
pub enum RepoCommand {
    List(list::Args),
    Show(show::Args),
    #[command(visible_alias = "add")]
    Create(create::Args),
    Update(update::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
}

pub async fn run(context: &Context, command: RepoCommand) -> Outcome {
    match command {
        RepoCommand::List(args) => list::run(context, args).await,
        RepoCommand::Show(args) => show::run(context, args).await,
        RepoCommand::Create(args) => create::run(context, args).await,
        RepoCommand::Update(args) => update::run(context, args).await,
        RepoCommand::Delete(args) => delete::run(context, args).await,
    }
}
