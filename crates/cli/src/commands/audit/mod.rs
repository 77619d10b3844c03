//! `proliferate audit`: writes a log or a trail to a file, and verifies such a file. `verify` needs the file and the
//! public key alone; `fetch` and `checkpoint` ask a gateway; the others work on the database and the keys of
//! the settings, as `token` does.

mod export;
mod fetch;
mod key;
mod prove;
mod verify;

use clap::Subcommand;

pub(super) use self::prove::prove;
use crate::{context::Context, failure::Outcome};

/// Give out audit logs, and check them.
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    Verify(verify::Args),
    Fetch(fetch::FetchArgs),
    Checkpoint(fetch::CheckpointArgs),
    Export(export::Args),
    Key(key::Args),
}

pub async fn run(context: &Context, command: AuditCommand) -> Outcome {
    match command {
        AuditCommand::Verify(args) => verify::run(context, args),
        AuditCommand::Fetch(args) => fetch::fetch(context, args).await,
        AuditCommand::Checkpoint(args) => fetch::checkpoint(context, args).await,
        AuditCommand::Export(args) => export::run(context, args).await,
        AuditCommand::Key(args) => key::run(context, args).await,
    }
}
