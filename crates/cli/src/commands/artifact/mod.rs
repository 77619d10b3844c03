//! `proliferate artifact`: stored files, as a client of a gateway.

mod get;
mod list;
mod scope;
mod upload;

pub(super) use self::{get::save, upload::media_type_of};

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Upload, list and download the artifacts of a case or a session, through a gateway.
#[derive(Debug, Subcommand)]
pub enum ArtifactCommand {
    Upload(upload::Args),
    List(list::Args),
    Get(get::Args),
}

pub async fn run(context: &Context, command: ArtifactCommand) -> Outcome {
    match command {
        ArtifactCommand::Upload(args) => upload::run(context, args).await,
        ArtifactCommand::List(args) => list::run(context, args).await,
        ArtifactCommand::Get(args) => get::run(context, args).await,
    }
}
