//! `proliferate configuration`: what sessions start from, as a client of a gateway.

mod create;
mod delete;
mod env_file;
mod fields;
mod list;
mod show;
mod update;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Keep what sessions start from: repositories, services, env files and a snapshot, through a gateway.
///
/// Its MCP servers are listed by `connector list --configuration`, its snapshots by `snapshot list --configuration`, its
/// secrets by `secret list --configuration`.
#[derive(Debug, Subcommand)]
pub enum ConfigurationCommand {
    List(list::Args),
    Show(show::Args),
    #[command(visible_alias = "add")]
    Create(create::Args),
    Update(update::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
}

pub async fn run(context: &Context, command: ConfigurationCommand) -> Outcome {
    match command {
        ConfigurationCommand::List(args) => list::run(context, args).await,
        ConfigurationCommand::Show(args) => show::run(context, args).await,
        ConfigurationCommand::Create(args) => create::run(context, args).await,
        ConfigurationCommand::Update(args) => update::run(context, args).await,
        ConfigurationCommand::Delete(args) => delete::run(context, args).await,
    }
}
