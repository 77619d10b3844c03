//! `proliferate org-limits`: the ceilings of an organization, on the database.

mod set;
mod show;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// See and set the ceilings of an organization, as an operator with the database.
///
/// An admin of the organization chooses below them (`proliferate limits`); the smaller of the two is in force.
#[derive(Debug, Subcommand)]
pub enum OrgLimitsCommand {
    Show(show::Args),
    Set(set::Args),
}

pub async fn run(context: &Context, command: OrgLimitsCommand) -> Outcome {
    match command {
        OrgLimitsCommand::Show(args) => show::run(context, args).await,
        OrgLimitsCommand::Set(args) => set::run(context, args).await,
    }
}
