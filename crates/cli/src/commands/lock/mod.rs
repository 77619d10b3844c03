//! `proliferate lock`: the organization's safety lock, as a client of a gateway.

mod fields;
mod show;
mod turn;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Stop every call of the organization at once, and let calls pass again, through a gateway.
///
/// Members look; only admins turn the key, and say why. `proliferate override` lifts one lane for a time.
#[derive(Debug, Subcommand)]
pub enum LockCommand {
    Show(show::Args),
    Engage(turn::EngageArgs),
    Release(turn::ReleaseArgs),
}

pub async fn run(context: &Context, command: LockCommand) -> Outcome {
    match command {
        LockCommand::Show(args) => show::run(context, args).await,
        LockCommand::Engage(args) => turn::engage(context, args).await,
        LockCommand::Release(args) => turn::release(context, args).await,
    }
}
