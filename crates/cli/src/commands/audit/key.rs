//! `proliferate audit key`.

use app::audit::SigningKey;
use domain::id::OrganizationId;
use serde_json::json;

use crate::{
    commands::token::{Common, Opened},
    context::Context,
    exit::Exit,
    failure::Outcome,
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
    let opened = Opened::new(context, &args.common).await?;
    let organization_id = opened.organization(args.org)?;
    let key = SigningKey::of(&opened.app.keyring, &organization_id)?.verifier_key();
    opened.app.db.close().await;
    match context.printer.output {
        Output::Json => context.printer.json(&json!({
            "organizationId": organization_id.as_str(),
            "verifierKey": key,
        })),
        Output::Table => context.printer.data(&key),
    }
    Ok(Exit::Ok)
}
