//! `proliferate limits`: the limits of the organization, as a client of a gateway.

pub(super) mod change;
pub(super) mod report;
mod set;
mod show;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// See and choose the limits of the organization, through a gateway.
///
/// The operator of the installation sets the ceilings (`proliferate org-limits`). Members look; only admins change them.
#[derive(Debug, Subcommand)]
pub enum LimitsCommand {
    Show(show::Args),
    Set(set::Args),
}

pub async fn run(context: &Context, command: LimitsCommand) -> Outcome {
    match command {
        LimitsCommand::Show(args) => show::run(context, args).await,
        LimitsCommand::Set(args) => set::run(context, args).await,
    }
}
