//! `proliferate token`: an operator's commands on tokens.

mod lifetime;
mod list;
mod mint_api_key;
mod mint_service;
mod mint_user;
mod revoke;
mod sandbox;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Make, list and revoke tokens, as an operator.
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    #[command(subcommand)]
    Mint(MintCommand),
    List(list::Args),
    Revoke(revoke::Args),
    Sandbox(sandbox::Args),
}

/// Make a token.
#[derive(Debug, Subcommand)]
pub enum MintCommand {
    User(mint_user::Args),
    Service(mint_service::Args),
    ApiKey(mint_api_key::Args),
}

pub async fn run(context: &Context, command: TokenCommand) -> Outcome {
    match command {
        TokenCommand::Mint(MintCommand::User(args)) => mint_user::run(context, args).await,
        TokenCommand::Mint(MintCommand::Service(args)) => mint_service::run(context, args).await,
        TokenCommand::Mint(MintCommand::ApiKey(args)) => mint_api_key::run(context, args).await,
        TokenCommand::List(args) => list::run(context, args).await,
        TokenCommand::Revoke(args) => revoke::run(context, args).await,
        TokenCommand::Sandbox(args) => sandbox::run(context, args).await,
    }
}
