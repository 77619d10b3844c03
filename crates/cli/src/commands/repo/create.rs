//! `proliferate repo create`.

use wire::repo::{CreateRepoRequest, RepoView};

use super::described::RepoOptions;
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Add a code repository and print its id. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What it is called, such as `acme/web`
    name: String,
    /// The address that it is cloned from
    #[arg(value_name = "URL")]
    clone_url: Option<String>,
    #[command(flatten)]
    described: RepoOptions,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let request = CreateRepoRequest {
        name: args.name,
        url: args.clone_url,
        default_branch: args.described.branch,
        source: args.described.source.map(Into::into),
        push: args.described.push.map(Into::into),
        service_commands: args.described.services,
    };
    // Sent once: sent again it would be a second one.
    let created: RepoView = client.post_once("/v1/repos", &request).await?;
    context
        .printer
        .result(&created, |created| created.id.to_string());
    Ok(Exit::Ok)
}
