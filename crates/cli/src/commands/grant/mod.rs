//! `proliferate grant`: standing permissions, as a client of a gateway.

mod backtest;
mod create;
mod draft;
mod fields;
mod list;
mod requests;
mod revoke;
mod show;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Let writes of agents run without asking, and see what was allowed, through a gateway.
///
/// Members look; only admins change something.
#[derive(Debug, Subcommand)]
pub enum GrantCommand {
    List(list::Args),
    Show(show::Args),
    Create(create::Args),
    Revoke(revoke::Args),
    Backtest(backtest::Args),
    Requests(requests::ListArgs),
    GrantRequest(requests::GrantArgs),
    RefuseRequest(requests::RefuseArgs),
}

pub async fn run(context: &Context, command: GrantCommand) -> Outcome {
    match command {
        GrantCommand::List(args) => list::run(context, args).await,
        GrantCommand::Show(args) => show::run(context, args).await,
        GrantCommand::Create(args) => create::run(context, args).await,
        GrantCommand::Revoke(args) => revoke::run(context, args).await,
        GrantCommand::Backtest(args) => backtest::run(context, args).await,
        GrantCommand::Requests(args) => requests::list(context, args).await,
        GrantCommand::GrantRequest(args) => requests::grant(context, args).await,
        GrantCommand::RefuseRequest(args) => requests::refuse(context, args).await,
    }
}
