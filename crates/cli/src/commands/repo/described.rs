//! A repository as options describe it.

use domain::repo::{RepoPush, RepoSource};
use wire::service_command::ServiceCommand;

use crate::value_parsers::one_of;

/// What is known of a repository besides its name.
#[derive(Debug, Default, PartialEq, clap::Args)]
pub(super) struct RepoOptions {
    /// The branch that sessions start from
    #[arg(long, value_name = "NAME")]
    pub(super) branch: Option<String>,
    /// Where it is kept: `github` takes the credential of the connection to GitHub
    #[arg(long, value_parser = one_of(RepoSource::ALL, RepoSource::as_str))]
    pub(super) source: Option<RepoSource>,
    /// What agents may push: nothing, to branches of their own, or to any branch
    #[arg(long, value_parser = one_of(RepoPush::ALL, RepoPush::as_str))]
    pub(super) push: Option<RepoPush>,
    /// A command that runs beside the agent, such as `web=npm run dev`; may be given several times
    #[arg(long = "service", value_name = "NAME=COMMAND", value_parser = service_command)]
    pub(super) services: Vec<ServiceCommand>,
}

/// `NAME=COMMAND`.
pub(in crate::commands) fn service_command(text: &str) -> Result<ServiceCommand, String> {
    let (name, command) = text.split_once('=').ok_or("write NAME=COMMAND")?;
    Ok(ServiceCommand {
        name: name.to_owned(),
        command: command.to_owned(),
        cwd: None,
        workspace_path: None,
    })
}
