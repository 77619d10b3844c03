//! `proliferate connector remove`.

use domain::id::ConnectorId;
use reqwest::Method;

use super::client;
use crate::{client::EndpointArgs, context::Context, exit::Exit, failure::Outcome};

/// Remove a tool server, of the organization or of a configuration. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The connector's id
    id: ConnectorId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let path = format!("/v1/connectors/{}", args.id);
    client(context, args.endpoint)?
        .done(Method::DELETE, &path)
        .await?;
    context.printer.note(&format!("{} is gone", args.id));
    Ok(Exit::Ok)
}
