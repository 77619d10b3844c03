//! `proliferate session show`.

use domain::id::SessionId;

use super::fields::RECORD;
use crate::{client::EndpointArgs, context::Context, failure::Outcome, fields::run_show};

/// Show a session.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id
    id: SessionId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let path = format!("/v1/sessions/{}", args.id);
    run_show(context, args.endpoint, &path, &RECORD).await
}
