//! `proliferate token revoke`.

use app::api_keys;
use domain::id::{ApiKeyId, OrganizationId};
use wire::api_key::ApiKeyView;

use super::{Common, Opened};
use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::{Output, printable},
};

/// Revoke an API key; revoking it again changes nothing.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The key's id, as `token list` shows it
    id: ApiKeyId,
    /// The organization it belongs to; the demo one in a data directory of `dev`
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    #[command(flatten)]
    common: Common,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let opened = Opened::new(context, &args.common).await?;
    let organization_id = opened.organization(args.org)?;
    let key = api_keys::revoke_any(&opened.app, &organization_id, args.id).await?;
    opened.app.db.close().await;
    match context.printer.output {
        Output::Json => context.printer.json(&ApiKeyView::from(key)),
        Output::Table => context.printer.note(&format!(
            "revoked {} ({})",
            key.prefix,
            printable(&key.name)
        )),
    }
    Ok(Exit::Ok)
}
