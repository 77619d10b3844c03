//! `proliferate org delete` and `proliferate org restore`: the grace time of a deletion, begun and taken back.

use std::io::{BufRead as _, IsTerminal as _, Read as _, stderr, stdin};

use app::{
    access::{InstallationOperator as _, TerminalOperator},
    organizations,
};
use domain::{id::OrganizationId, limits::NAME_LENGTH_MAX};
use wire::organization::OrganizationView;

use super::fields::named;
use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    fields::seconds,
    operator::{Operator, OperatorArgs},
};

/// Begin to delete an organization; it can be restored for seven days.
///
/// From now on it starts nothing, as if it were suspended. After the grace time `org purge` removes its data. The command
/// asks for the name of the organization; scripts give `--yes --confirm NAME`.
#[derive(Debug, clap::Args)]
pub struct DeleteArgs {
    /// The organization's id, as `org list` shows it
    organization: OrganizationId,
    #[command(flatten)]
    confirmation: Confirmation,
    #[command(flatten)]
    operator: OperatorArgs,
}

/// Take the deletion of an organization back; it is what it was before.
#[derive(Debug, clap::Args)]
pub struct RestoreArgs {
    /// The organization's id, as `org list` shows it
    organization: OrganizationId,
    #[command(flatten)]
    operator: OperatorArgs,
}

/// What a script says instead of a person at the terminal.
#[derive(Debug, clap::Args)]
pub(super) struct Confirmation {
    /// Do not ask
    #[arg(long, requires = "confirm")]
    yes: bool,
    /// The name of the organization
    #[arg(long, value_name = "NAME", requires = "yes")]
    confirm: Option<String>,
}

impl Confirmation {
    /// The name as it was given or typed. The use case compares it.
    pub(super) fn read(
        &self,
        context: &Context,
        view: &OrganizationView,
        consequence: &str,
    ) -> Result<String, Failure> {
        if let Some(name) = &self.confirm {
            return Ok(name.clone());
        }
        if !(stdin().is_terminal() && stderr().is_terminal()) {
            return Err(Failure::new(Exit::Usage, "there is no terminal to ask at")
                .hint("scripts give `--yes --confirm NAME`"));
        }
        context
            .printer
            .warning(&format!("{}: {consequence}", named(view)));
        context
            .printer
            .note("Type the name of the organization to go on:");
        let mut line = String::new();
        let max = u64::try_from(NAME_LENGTH_MAX * 4 + 2).unwrap_or(u64::MAX);
        let read = stdin().lock().take(max).read_line(&mut line);
        read.map_err(|error| Failure::caused(Exit::Failed, "the terminal cannot be read", &error))?;
        Ok(line.trim().to_owned())
    }
}

pub(super) async fn delete(context: &Context, args: DeleteArgs) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let (app, id) = (&operator.app, &args.organization);
    let view = OrganizationView::from(organizations::fetch(app, id).await?);
    let consequence = "nothing starts in it from now on, and `org purge` removes all of its data after seven days";
    let name = args.confirmation.read(context, &view, consequence)?;
    let begun = organizations::begin_deletion_as_operator(app, &TerminalOperator, id, &name);
    let begun = begun.await?;
    operator.app.db.close().await;
    context
        .printer
        .changed(&OrganizationView::from(begun), |view| {
            let until = view.deletion_due_at.map(seconds).unwrap_or_default();
            format!(
                "{} is being deleted; until {until} `proliferate org restore {}` takes that back",
                named(view),
                view.id
            )
        });
    Ok(Exit::Ok)
}

pub(super) async fn restore(context: &Context, args: RestoreArgs) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let actor = TerminalOperator.at(&args.organization)?;
    let restored = organizations::cancel_deletion(&operator.app, &actor).await?;
    operator.app.db.close().await;
    context
        .printer
        .changed(&OrganizationView::from(restored), |view| {
            format!("restored {}", named(view))
        });
    Ok(Exit::Ok)
}
