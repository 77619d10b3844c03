//! `proliferate org suspend` and `proliferate org resume`.

use app::{access::TerminalOperator, organizations};
use domain::id::OrganizationId;
use wire::organization::OrganizationView;

use super::fields::named;
use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    operator::{Operator, OperatorArgs},
};

/// Suspend an organization: it starts nothing and keeps everything.
///
/// Its callers can read. Its agents are refused, and its live sessions are saved and paused. Suspending it again changes the
/// reason.
#[derive(Debug, clap::Args)]
pub struct SuspendArgs {
    /// The organization's id, as `org list` shows it
    organization: OrganizationId,
    /// Why; shown to its members
    #[arg(long)]
    reason: String,
    #[command(flatten)]
    operator: OperatorArgs,
}

/// End the suspension of an organization; paused sessions continue when they are opened.
#[derive(Debug, clap::Args)]
pub struct ResumeArgs {
    /// The organization's id, as `org list` shows it
    organization: OrganizationId,
    #[command(flatten)]
    operator: OperatorArgs,
}

pub(super) async fn suspend(context: &Context, args: SuspendArgs) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let (app, id) = (&operator.app, &args.organization);
    let suspended = organizations::suspend(app, &TerminalOperator, id, &args.reason).await?;
    operator.app.db.close().await;
    context
        .printer
        .changed(&OrganizationView::from(suspended), |view| {
            format!("suspended {}", named(view))
        });
    Ok(Exit::Ok)
}

pub(super) async fn resume(context: &Context, args: ResumeArgs) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let resumed = organizations::resume(&operator.app, &TerminalOperator, &args.organization);
    let resumed = resumed.await?;
    operator.app.db.close().await;
    context
        .printer
        .changed(&OrganizationView::from(resumed), |view| {
            format!("resumed {}", named(view))
        });
    Ok(Exit::Ok)
}
