//! `proliferate token revoke`.

use app::api_keys;
use domain::id::{ApiKeyId, OrganizationId};
use wire::api_key::ApiKeyView;

use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    operator::{Operator, OperatorArgs},
    printer::printable,
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
    operator: OperatorArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let organization_id = operator.organization(args.org)?;
    let key = api_keys::revoke_any(&operator.app, &organization_id, args.id).await?;
    operator.app.db.close().await;
    context.printer.changed(&ApiKeyView::from(key), |key| {
        format!("revoked {} ({})", key.prefix, printable(&key.name))
    });
    Ok(Exit::Ok)
}
