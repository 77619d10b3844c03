//! `proliferate secret delete`.

use domain::id::SecretId;
use reqwest::Method;

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Delete a secret. Sandboxes that run keep what they were given. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The secret's id, a part of it, or its key
    #[arg(value_name = "SECRET")]
    id: Selector<SecretId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let path = format!("/v1/secrets/{id}");
    client.send_empty(Method::DELETE, &path).await?;
    context.printer.note(&format!("{id} is deleted"));
    Ok(Exit::Ok)
}
