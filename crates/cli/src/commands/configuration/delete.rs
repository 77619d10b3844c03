//! `proliferate configuration delete`.

use domain::id::ConfigurationId;
use reqwest::Method;

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Delete a configuration. Sessions that started from it stay. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The configuration's id, a part of it, or its name
    #[arg(value_name = "CONFIGURATION")]
    id: Selector<ConfigurationId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let path = format!("/v1/configurations/{id}");
    client.send_empty(Method::DELETE, &path).await?;
    context.printer.note(&format!("{id} is deleted"));
    Ok(Exit::Ok)
}
