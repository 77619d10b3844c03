//! `proliferate org rename`.

use app::{
    access::{InstallationOperator as _, TerminalOperator},
    organizations,
};
use domain::id::OrganizationId;
use wire::organization::OrganizationView;

use super::fields::named;
use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    operator::{Operator, OperatorArgs},
};

/// Rename an organization; its id and its slug stay.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The organization's id, as `org list` shows it
    organization: OrganizationId,
    /// The new name
    name: String,
    #[command(flatten)]
    operator: OperatorArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let actor = TerminalOperator.at(&args.organization)?;
    let renamed = organizations::rename(&operator.app, &actor, &args.name).await?;
    operator.app.db.close().await;
    let view = OrganizationView::from(renamed);
    context
        .printer
        .changed(&view, |view| format!("renamed: {}", named(view)));
    Ok(Exit::Ok)
}
