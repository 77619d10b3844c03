//! `proliferate connector remove`.

use domain::id::ConnectorId;
use reqwest::Method;

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Remove an MCP server, of the organization or of a configuration. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The connector's id, a part of it, or its name
    id: Selector<ConnectorId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let path = format!("/v1/connectors/{id}");
    client.send_empty(Method::DELETE, &path).await?;
    context.printer.note(&format!("{id} is gone"));
    Ok(Exit::Ok)
}
