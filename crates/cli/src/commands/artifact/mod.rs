//! `proliferate artifact`: stored files, as a client of a gateway.

mod get;
mod list;
mod upload;

pub(super) use self::{get::save, upload::media_type_of};

use clap::Subcommand;
use domain::{id::SessionId, policy::CaseId};

use crate::{client::connect as client, context::Context, failure::Outcome};

/// Upload, list and download the artifacts of a case or a session, through a gateway.
#[derive(Debug, Subcommand)]
pub enum Command {
    Upload(upload::Args),
    List(list::Args),
    Get(get::Args),
}

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::Upload(args) => upload::run(context, args).await,
        Command::List(args) => list::run(context, args).await,
        Command::Get(args) => get::run(context, args).await,
    }
}

/// Whose artifacts: exactly one of the two.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct ScopeArgs {
    /// Of this case
    #[arg(long, value_name = "ID")]
    case: Option<CaseId>,
    /// Of this session
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
}

impl ScopeArgs {
    fn case_id(&self) -> Option<String> {
        self.case.as_ref().map(ToString::to_string)
    }

    fn session_id(&self) -> Option<String> {
        self.session.as_ref().map(ToString::to_string)
    }
}
