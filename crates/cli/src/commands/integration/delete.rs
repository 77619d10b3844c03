//! `proliferate integration delete`.

use domain::id::IntegrationId;
use reqwest::Method;

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Delete a connection with its credential. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The integration's id, a part of it, or its name, or its service
    #[arg(value_name = "INTEGRATION")]
    id: Selector<IntegrationId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let path = format!("/v1/integrations/{id}");
    client.send_empty(Method::DELETE, &path).await?;
    context.printer.note(&format!("{id} is deleted"));
    Ok(Exit::Ok)
}
