//! `proliferate action`: what agents asked for, as a client of a gateway.

mod approve;
mod deny;
mod explain;
mod fields;
mod list;
mod show;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// See what agents asked for outside of their sandboxes, and decide, through a gateway.
///
/// Members look; only admins decide.
#[derive(Debug, Subcommand)]
pub enum ActionCommand {
    List(list::Args),
    Show(show::Args),
    Approve(approve::Args),
    Deny(deny::Args),
    Explain(explain::Args),
}

pub async fn run(context: &Context, command: ActionCommand) -> Outcome {
    match command {
        ActionCommand::List(args) => list::run(context, args).await,
        ActionCommand::Show(args) => show::run(context, args).await,
        ActionCommand::Approve(args) => approve::run(context, args).await,
        ActionCommand::Deny(args) => deny::run(context, args).await,
        ActionCommand::Explain(args) => explain::run(context, args).await,
    }
}
