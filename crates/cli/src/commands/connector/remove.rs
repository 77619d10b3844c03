//! `proliferate connector remove`.

use domain::id::ConnectorId;
use reqwest::Method;

use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Remove an MCP server, of the organization or of a configuration. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The connector's id
    id: ConnectorId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let path = format!("/v1/connectors/{}", args.id);
    connect(context, args.endpoint)?
        .send_empty(Method::DELETE, &path)
        .await?;
    context.printer.note(&format!("{} is gone", args.id));
    Ok(Exit::Ok)
}
