//! `proliferate configuration update`.

use clap::ValueEnum;
use domain::id::{ConfigurationId, RepoId};
use wire::{
    configuration::{EnvFile, UpdateConfigurationRequest},
    patch::Patch,
    service_command::ServiceCommand,
};

use super::{create::repo_ids, env_file, fields::RECORD};
use crate::{
    client::{Client, EndpointArgs, Selector, connect},
    commands::repo::service_command,
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// Change a configuration. What is not given stays; a list that is given replaces the old one. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The configuration's id, a part of it, or its name
    #[arg(value_name = "CONFIGURATION")]
    id: Selector<ConfigurationId>,
    #[command(flatten)]
    change: Change,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

#[derive(Debug, clap::Args)]
struct Change {
    /// What it is called
    #[arg(long)]
    name: Option<String>,
    /// What it is for
    #[arg(long, value_name = "TEXT")]
    notes: Option<String>,
    /// A repository that its sessions have, by id, a part of it, or name; may be given several times
    #[arg(long = "repo", value_name = "REPO")]
    repos: Vec<Selector<RepoId>>,
    /// A command that runs beside the agent, such as `web=npm run dev`; may be given several times
    #[arg(long = "service", value_name = "NAME=COMMAND", value_parser = service_command)]
    services: Vec<ServiceCommand>,
    /// An env file and its keys, such as `.env=DATABASE_URL,SENTRY_DSN?`; may be given several times
    #[arg(long = "env-file", value_name = "PATH=KEYS", value_parser = env_file::parse)]
    env_files: Vec<EnvFile>,
    /// The snapshot that its sessions start from
    #[arg(long, value_name = "ID")]
    snapshot: Option<String>,
    /// What to take away; may be given several times
    #[arg(long, value_name = "WHAT")]
    clear: Vec<Clearable>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Clearable {
    Notes,
    Repos,
    Services,
    EnvFiles,
    Snapshot,
}

impl Change {
    async fn request(self, client: &Client) -> Result<UpdateConfigurationRequest, Failure> {
        let clears = |what: Clearable| self.clear.contains(&what);
        let text = |given: Option<String>, what: Clearable| match given {
            Some(text) => Patch::Set(text),
            None if clears(what) => Patch::Clear,
            None => Patch::Keep,
        };
        let repos = repo_ids(client, &self.repos).await?;
        Ok(UpdateConfigurationRequest {
            name: self.name.clone(),
            notes: text(self.notes.clone(), Clearable::Notes),
            snapshot_id: text(self.snapshot.clone(), Clearable::Snapshot),
            repo_ids: list(repos, clears(Clearable::Repos)),
            service_commands: list(self.services.clone(), clears(Clearable::Services)),
            env_files: list(self.env_files.clone(), clears(Clearable::EnvFiles)),
            ..UpdateConfigurationRequest::default()
        })
    }
}

/// A list that replaces the old one.
fn list<T>(given: Vec<T>, is_cleared: bool) -> Option<Vec<T>> {
    (is_cleared || !given.is_empty()).then_some(given)
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let request = args.change.request(&client).await?;
    if request == UpdateConfigurationRequest::default() {
        let hint = "`proliferate configuration update --help` lists what can be changed.";
        return Err(Failure::new(Exit::Usage, "say what to change").hint(hint));
    }
    let path = format!("/v1/configurations/{}", args.id.resolve(&client).await?);
    let updated = client.patch(&path, &request).await?;
    RECORD.print(context.printer, &updated);
    Ok(Exit::Ok)
}
