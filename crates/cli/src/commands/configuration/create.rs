//! `proliferate configuration create`.

use domain::id::RepoId;
use wire::{
    configuration::{ConfigurationView, CreateConfigurationRequest, EnvFile},
    service_command::ServiceCommand,
};

use super::env_file;
use crate::{
    client::{Client, EndpointArgs, Selector, connect},
    commands::repo::service_command,
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// Add a configuration and print its id. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What it is called
    name: String,
    /// A repository that its sessions have, by id, a part of it, or name; may be given several times
    #[arg(long = "repo", value_name = "REPO")]
    repos: Vec<Selector<RepoId>>,
    /// What it is for
    #[arg(long, value_name = "TEXT")]
    notes: Option<String>,
    /// A command that runs beside the agent, such as `web=npm run dev`; may be given several times
    #[arg(long = "service", value_name = "NAME=COMMAND", value_parser = service_command)]
    services: Vec<ServiceCommand>,
    /// An env file and its keys, such as `.env=DATABASE_URL,SENTRY_DSN?`, where `?` marks a key that may be missing; may
    /// be given several times
    #[arg(long = "env-file", value_name = "PATH=KEYS", value_parser = env_file::parse)]
    env_files: Vec<EnvFile>,
    /// The snapshot that its sessions start from
    #[arg(long, value_name = "ID")]
    snapshot: Option<String>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let request = CreateConfigurationRequest {
        name: args.name,
        notes: args.notes,
        repo_ids: repo_ids(&client, &args.repos).await?,
        service_commands: args.services,
        env_files: args.env_files,
        snapshot_id: args.snapshot,
        ..CreateConfigurationRequest::default()
    };
    // Sent once: sent again it would be a second one.
    let created: ConfigurationView = client.post_once("/v1/configurations", &request).await?;
    context
        .printer
        .result(&created, |created| created.id.to_string());
    Ok(Exit::Ok)
}

pub(super) async fn repo_ids(
    client: &Client,
    repos: &[Selector<RepoId>],
) -> Result<Vec<String>, Failure> {
    let mut ids = Vec::with_capacity(repos.len());
    for repo in repos {
        ids.push(repo.resolve(client).await?.to_string());
    }
    Ok(ids)
}
