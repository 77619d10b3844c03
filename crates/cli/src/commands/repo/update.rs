//! `proliferate repo update`.

use domain::id::RepoId;
use wire::{patch::Patch, repo::UpdateRepoRequest};

use super::{described::RepoOptions, fields::RECORD};
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// Change a code repository. What is not given stays. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The repo's id, a part of it, or its name
    #[arg(value_name = "REPO")]
    id: Selector<RepoId>,
    /// What it is called
    #[arg(long)]
    name: Option<String>,
    /// The address that it is cloned from; an empty one takes it away
    #[arg(long, value_name = "ADDRESS")]
    clone_url: Option<String>,
    #[command(flatten)]
    described: RepoOptions,
    /// No commands run beside the agent
    #[arg(long, conflicts_with = "services")]
    no_services: bool,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let services = args.described.services;
    let request = UpdateRepoRequest {
        name: args.name,
        url: match args.clone_url {
            None => Patch::Keep,
            Some(url) if url.is_empty() => Patch::Clear,
            Some(url) => Patch::Set(url),
        },
        default_branch: args.described.branch,
        source: args.described.source.map(Into::into),
        push: args.described.push.map(Into::into),
        service_commands: (args.no_services || !services.is_empty()).then_some(services),
    };
    if request == UpdateRepoRequest::default() {
        let hint = "`proliferate repo update --help` lists what can be changed.";
        return Err(Failure::new(Exit::Usage, "say what to change").hint(hint));
    }
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/repos/{}", args.id.resolve(&client).await?);
    let updated = client.patch(&path, &request).await?;
    RECORD.print(context.printer, &updated);
    Ok(Exit::Ok)
}
