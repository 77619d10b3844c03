//! `proliferate configuration show`.

use domain::id::ConfigurationId;

use super::fields::RECORD;
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    failure::Outcome,
    fields::show_from,
};

/// Show a configuration.
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
    let path = format!("/v1/configurations/{}", args.id.resolve(&client).await?);
    show_from(context, &client, &path, &RECORD).await
}
