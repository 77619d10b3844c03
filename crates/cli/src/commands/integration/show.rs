//! `proliferate integration show`.

use domain::id::IntegrationId;

use super::fields::RECORD;
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    failure::Outcome,
    fields::show_from,
};

/// Show a connection. Its credential is never shown.
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
    let path = format!("/v1/integrations/{}", args.id.resolve(&client).await?);
    show_from(context, &client, &path, &RECORD).await
}
