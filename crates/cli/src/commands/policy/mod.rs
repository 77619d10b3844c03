//! `proliferate policy`: what a policy says, what is wrong with one, what it would decide, and what was
//! decided about a recorded call. Works on files and on the database; a running gateway is not asked.

mod check;
mod diff;
mod recorded;
mod show;
mod source;
mod text;
mod who_can;
mod why;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Look at policies: lanes, roles and tools.
#[derive(Debug, Subcommand)]
pub enum PolicyCommand {
    Check(check::Args),
    Show(show::Args),
    Diff(diff::Args),
    WhoCan(who_can::Args),
    Why(why::Args),
}

pub async fn run(context: &Context, command: PolicyCommand) -> Outcome {
    match command {
        PolicyCommand::Check(args) => check::run(context, args).await,
        PolicyCommand::Show(args) => show::run(context, args).await,
        PolicyCommand::Diff(args) => diff::run(context, args).await,
        PolicyCommand::WhoCan(args) => who_can::run(context, args).await,
        PolicyCommand::Why(args) => why::run(context, args).await,
    }
}
