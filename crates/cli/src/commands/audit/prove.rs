//! Proving what a session did, for the demo.

use std::path::PathBuf;

use domain::id::SessionId;

use super::{fetch, key, verify};
use crate::{client::Client, context::Context, failure::Outcome, operator::OperatorArgs};

/// Gets a session's trail and checks it with the organization's own key. The file stays, for auditors to verify.
pub(in crate::commands) async fn prove(
    context: &Context,
    operator: &OperatorArgs,
    client: &Client,
    session: SessionId,
    file: PathBuf,
) -> Outcome {
    fetch::trail_of(client, session, &file).await?;
    let key = key::of_demo(context, operator).await?;
    context.printer.note(&format!(
        "proliferate audit verify --bundle {} --key '{key}'",
        file.display()
    ));
    let key = key
        .parse()
        .map_err(|error| anyhow::anyhow!("the organization's key is none: {error}"))?;
    verify::check(context, &file, key)
}
