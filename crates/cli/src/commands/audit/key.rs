//! `proliferate audit key`.

use app::audit::SigningKey;
use domain::id::OrganizationId;
use serde_json::json;

use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    operator::{Operator, OperatorArgs},
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
    operator: OperatorArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let (organization_id, key) = find(context, &args.operator, args.org).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&json!({
            "organizationId": organization_id.as_str(),
            "verifierKey": key,
        })),
        Output::Table => context.printer.data(&key),
    }
    Ok(Exit::Ok)
}

/// The key of the demo organization in a data directory of `dev`.
pub(super) async fn of_demo(context: &Context, operator: &OperatorArgs) -> Result<String, Failure> {
    Ok(find(context, operator, None).await?.1)
}

async fn find(
    context: &Context,
    operator: &OperatorArgs,
    org: Option<OrganizationId>,
) -> Result<(OrganizationId, String), Failure> {
    let operator = Operator::open(context, operator).await?;
    let organization_id = operator.organization(org)?;
    let key = SigningKey::of(&operator.app.keyring, &organization_id)?.verifier_key();
    operator.app.db.close().await;
    Ok((organization_id, key))
}
