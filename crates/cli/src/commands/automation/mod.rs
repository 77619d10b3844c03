//! `proliferate automation`: tasks that agents are set again and again, and their runs, as a client of a gateway.

mod create;
mod fields;
mod instructions;
mod list;
mod remove;
mod run;
mod runs;
mod show;
mod show_run;
mod update;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Keep tasks that agents work on alone, set them to work and see what came of it, through a gateway.
#[derive(Debug, Subcommand)]
pub enum AutomationCommand {
    List(list::Args),
    Show(show::Args),
    Create(create::Args),
    Update(update::Args),
    #[command(visible_alias = "delete")]
    Remove(remove::Args),
    Run(run::Args),
    Runs(runs::Args),
    ShowRun(show_run::Args),
}

pub async fn run(context: &Context, command: AutomationCommand) -> Outcome {
    match command {
        AutomationCommand::List(args) => list::run(context, args).await,
        AutomationCommand::Show(args) => show::run(context, args).await,
        AutomationCommand::Create(args) => create::run(context, args).await,
        AutomationCommand::Update(args) => update::run(context, args).await,
        AutomationCommand::Remove(args) => remove::run(context, args).await,
        AutomationCommand::Run(args) => run::run(context, args).await,
        AutomationCommand::Runs(args) => runs::run(context, args).await,
        AutomationCommand::ShowRun(args) => show_run::run(context, args).await,
    }
}
