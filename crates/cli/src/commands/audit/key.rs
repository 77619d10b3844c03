//! `proliferate audit key`.

use app::audit::SigningKey;
use domain::id::OrganizationId;
use serde_json::json;

use crate::{
    commands::token::{Common, Opened},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    printer::Output,
};

/// Show the public key that an organization's audit log is verified with.
///
/// Hand it on by a way of its own: a key that comes with the log it checks proves nothing.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Whose log; the demo organization's in a data directory of `dev`
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    #[command(flatten)]
    common: Common,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let (organization_id, key) = find(context, &args.common, args.org).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&json!({
            "organizationId": organization_id.as_str(),
            "verifierKey": key,
        })),
        Output::Table => context.printer.data(&key),
    }
    Ok(Exit::Ok)
}

/// That of the demo organization in a data directory of `dev`.
pub(super) async fn of_demo(context: &Context, common: &Common) -> Result<String, Failure> {
    Ok(find(context, common, None).await?.1)
}

async fn find(
    context: &Context,
    common: &Common,
    org: Option<OrganizationId>,
) -> Result<(OrganizationId, String), Failure> {
    let opened = Opened::new(context, common).await?;
    let organization_id = opened.organization(org)?;
    let key = SigningKey::of(&opened.app.keyring, &organization_id)?.verifier_key();
    opened.app.db.close().await;
    Ok((organization_id, key))
}
