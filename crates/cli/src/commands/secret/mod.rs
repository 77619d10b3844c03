//! `proliferate secret`: secrets of an organization, as a client of a gateway. Values go in and never come out.

mod check;
mod create;
mod delete;
mod fields;
mod import;
mod list;
mod scope;
mod update;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Keep the secrets that sessions and MCP servers are given, through a gateway.
///
/// A value is read from the input, from a file, or typed without being shown. No command prints one.
#[derive(Debug, Subcommand)]
pub enum SecretCommand {
    List(list::Args),
    #[command(visible_alias = "add")]
    Create(create::Args),
    Update(update::Args),
    Import(import::Args),
    Check(check::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
}

pub async fn run(context: &Context, command: SecretCommand) -> Outcome {
    match command {
        SecretCommand::List(args) => list::run(context, args).await,
        SecretCommand::Create(args) => create::run(context, args).await,
        SecretCommand::Update(args) => update::run(context, args).await,
        SecretCommand::Import(args) => import::run(context, args).await,
        SecretCommand::Check(args) => check::run(context, args).await,
        SecretCommand::Delete(args) => delete::run(context, args).await,
    }
}
