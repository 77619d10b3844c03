//! `proliferate audit`: an operator gives a log out, and anybody checks it. `verify` needs the file and the
//! public key alone; the others work on the database and the keys of the settings, as `token` does.

mod export;
mod key;
mod verify;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Give out audit logs, and check them.
#[derive(Debug, Subcommand)]
pub enum Command {
    Verify(verify::Args),
    Export(export::Args),
    Key(key::Args),
}

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::Verify(args) => verify::run(context, args),
        Command::Export(args) => export::run(context, args).await,
        Command::Key(args) => key::run(context, args).await,
    }
}
