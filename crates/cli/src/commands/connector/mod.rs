//! `proliferate connector`: MCP servers of an organization, as a client of a gateway.

mod add;
mod described;
mod fields;
mod list;
mod remove;
mod requests;
mod review;
mod show;
mod tools;
mod update;
mod validate;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Keep MCP servers (Model Context Protocol) whose tools become actions, through a gateway.
///
/// Members look; only admins change something.
#[derive(Debug, Subcommand)]
pub enum ConnectorCommand {
    Add(add::Args),
    List(list::Args),
    Show(show::Args),
    Validate(validate::Args),
    Review(review::Args),
    Update(update::Args),
    #[command(visible_alias = "delete")]
    Remove(remove::Args),
}

pub async fn run(context: &Context, command: ConnectorCommand) -> Outcome {
    match command {
        ConnectorCommand::Add(args) => add::run(context, args).await,
        ConnectorCommand::List(args) => list::run(context, args).await,
        ConnectorCommand::Show(args) => show::run(context, args).await,
        ConnectorCommand::Validate(args) => validate::run(context, args).await,
        ConnectorCommand::Review(args) => review::run(context, args).await,
        ConnectorCommand::Update(args) => update::run(context, args).await,
        ConnectorCommand::Remove(args) => remove::run(context, args).await,
    }
}
