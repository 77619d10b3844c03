//! `proliferate audit`: a log or a trail is given out, and anybody checks it. `verify` needs the file and the
//! public key alone; `fetch` and `checkpoint` ask a gateway; the others work on the database and the keys of
//! the settings, as `token` does.

mod export;
mod fetch;
mod key;
mod verify;

use std::path::PathBuf;

use clap::Subcommand;
use domain::id::SessionId;

use crate::{client::Client, commands::token::Common, context::Context, failure::Outcome};

/// Give out audit logs, and check them.
#[derive(Debug, Subcommand)]
pub enum Command {
    Verify(verify::Args),
    Fetch(fetch::FetchArgs),
    Checkpoint(fetch::CheckpointArgs),
    Export(export::Args),
    Key(key::Args),
}

/// Gets a session's trail and checks it with the organization's own key. The file stays, for others to check.
pub(crate) async fn prove(
    context: &Context,
    common: &Common,
    client: &Client,
    session: SessionId,
    file: PathBuf,
) -> Outcome {
    fetch::trail_of(client, session, &file).await?;
    let key = key::of_demo(context, common).await?;
    context.printer.note(&format!(
        "proliferate audit verify --bundle {} --key '{key}'",
        file.display()
    ));
    let key = key
        .parse()
        .map_err(|error| anyhow::anyhow!("the organization's key is none: {error}"))?;
    verify::check(context, &file, key)
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
