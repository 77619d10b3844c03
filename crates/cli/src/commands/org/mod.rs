//! `proliferate org`: the organizations of an installation, for operators, who hold the database and the keys.

mod create;
mod delete;
mod fields;
mod list;
mod purge;
mod rename;
mod suspend;

use crate::{context::Context, failure::Outcome};

/// Create, list, rename, suspend and delete organizations.
///
/// For operators, on the database: it works beside running gateways, which take each change into account at once.
#[derive(Debug, clap::Subcommand)]
pub enum OrgCommand {
    Create(create::Args),
    List(list::Args),
    Rename(rename::Args),
    Suspend(suspend::SuspendArgs),
    Resume(suspend::ResumeArgs),
    Delete(delete::DeleteArgs),
    Restore(delete::RestoreArgs),
    Purge(purge::Args),
}

pub async fn run(context: &Context, command: OrgCommand) -> Outcome {
    match command {
        OrgCommand::Create(args) => create::run(context, args).await,
        OrgCommand::List(args) => list::run(context, args).await,
        OrgCommand::Rename(args) => rename::run(context, args).await,
        OrgCommand::Suspend(args) => suspend::suspend(context, args).await,
        OrgCommand::Resume(args) => suspend::resume(context, args).await,
        OrgCommand::Delete(args) => delete::delete(context, args).await,
        OrgCommand::Restore(args) => delete::restore(context, args).await,
        OrgCommand::Purge(args) => purge::run(context, args).await,
    }
}
