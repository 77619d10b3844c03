//! `proliferate audit`: a log or a trail is given out, and anybody checks it. `verify` needs the file and the
//! public key alone; `fetch` and `checkpoint` ask a gateway; the others work on the database and the keys of
//! the settings, as `token` does.

mod export;
mod fetch;
mod key;
mod verify;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Give out audit logs, and check them.
#[derive(Debug, Subcommand)]
pub enum Command {
    Verify(verify::Args),
    Fetch(fetch::FetchArgs),
    Checkpoint(fetch::CheckpointArgs),
    Export(export::Args),
    Key(key::Args),
}

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::Verify(args) => verify::run(context, args),
        Command::Fetch(args) => fetch::fetch(context, args).await,
        Command::Checkpoint(args) => fetch::checkpoint(context, args).await,
        Command::Export(args) => export::run(context, args).await,
        Command::Key(args) => key::run(context, args).await,
    }
}
