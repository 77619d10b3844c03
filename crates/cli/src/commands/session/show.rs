//! `proliferate session show`.

use domain::id::SessionId;

use super::fields::RECORD;
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    failure::Outcome,
    fields::show_from,
};

/// Show a session.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id, a part of it, or its title
    id: Selector<SessionId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/sessions/{}", args.id.resolve(&client).await?);
    show_from(context, &client, &path, &RECORD).await
}
