//! `proliferate repo delete`.

use domain::id::RepoId;
use reqwest::Method;

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Delete a code repository. Sessions that have it keep their copy. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The repo's id, a part of it, or its name
    #[arg(value_name = "REPO")]
    id: Selector<RepoId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let path = format!("/v1/repos/{id}");
    client.send_empty(Method::DELETE, &path).await?;
    context.printer.note(&format!("{id} is deleted"));
    Ok(Exit::Ok)
}
