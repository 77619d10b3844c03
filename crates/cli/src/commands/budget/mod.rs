//! `proliferate budget`: what sessions of the organization may spend on their models, as a client of a gateway.

mod report;
mod set;
mod show;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// See and set what each session of the organization may spend on its models, through a gateway.
///
/// It counts where neither the session nor its configuration has a budget. Members look; only admins change it.
#[derive(Debug, Subcommand)]
pub enum BudgetCommand {
    Show(show::Args),
    Set(set::Args),
}

pub async fn run(context: &Context, command: BudgetCommand) -> Outcome {
    match command {
        BudgetCommand::Show(args) => show::run(context, args).await,
        BudgetCommand::Set(args) => set::run(context, args).await,
    }
}
