//! `proliferate org-limits set`.

use domain::id::OrganizationId;
use wire::organization_limits::LimitSettingsView;

use crate::{
    commands::limits::{change::ChangeArgs, report::report},
    context::Context,
    exit::Exit,
    failure::Outcome,
    operator::{Operator, OperatorArgs},
};

/// Set ceilings of an organization. Recorded in its audit log.
///
/// What is not named stays as it is. What the organization chose stays, and counts where it is smaller.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The organization; the demo one in a data directory of `dev`
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    #[command(flatten)]
    change: ChangeArgs,
    #[command(flatten)]
    operator: OperatorArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let organization_id = operator.organization(args.org)?;
    let who = app::access::Operator(organization_id.clone());
    let app = &operator.app;
    let before = app::organization_limits::show_as_operator(app, &who).await?;
    let before = LimitSettingsView::from(before.limits.operator);
    let settings = args.change.applied_to(before.into()).into();
    let set = app::organization_limits::set_ceiling(app, &who, &organization_id, settings);
    let found = set.await?;
    app.db.close().await;
    report(context, &(&found).into());
    Ok(Exit::Ok)
}
