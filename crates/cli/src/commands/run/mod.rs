//! `proliferate run`: runs, as a client of a gateway.

mod cancel;
mod end;
mod fields;
mod open;
mod requests;
mod show;

use clap::Subcommand;

pub(super) use self::requests::{end, open, wait_until_ended};
use crate::{context::Context, failure::Outcome};

/// Open runs that tool calls belong to, look at runs and end them, through a gateway.
#[derive(Debug, Subcommand)]
pub enum RunCommand {
    Open(open::Args),
    Show(show::Args),
    Cancel(cancel::Args),
    End(end::Args),
}

pub async fn run(context: &Context, command: RunCommand) -> Outcome {
    match command {
        RunCommand::Open(args) => open::run(context, args).await,
        RunCommand::Show(args) => show::run(context, args).await,
        RunCommand::Cancel(args) => cancel::run(context, args).await,
        RunCommand::End(args) => end::run(context, args).await,
    }
}
