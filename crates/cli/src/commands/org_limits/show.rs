//! `proliferate org-limits show`.

use domain::id::OrganizationId;

use crate::{
    commands::limits::report::report,
    context::Context,
    exit::Exit,
    failure::Outcome,
    operator::{Operator, OperatorArgs},
};

/// Show the limits of an organization and what it uses now.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The organization; the demo one in a data directory of `dev`
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    #[command(flatten)]
    operator: OperatorArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let organization_id = operator.organization(args.org)?;
    let found = app::organization_limits::show_as_operator(
        &operator.app,
        &app::access::Operator(organization_id),
    )
    .await?;
    operator.app.db.close().await;
    report(context, &(&found).into());
    Ok(Exit::Ok)
}
