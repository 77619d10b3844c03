//! `proliferate automation`: tasks that agents are set again and again, and their runs, as a client of a gateway.

mod create;
mod instructions;
mod list;
mod remove;
mod run;
mod runs;
mod show;
mod show_run;
mod update;

use clap::Subcommand;
use domain::automation_run::AutomationRunStatus;
use wire::automation::{AutomationRunView, AutomationView};

use crate::{
    client::connect as client,
    commands::session::seconds,
    context::Context,
    failure::Outcome,
    printer::{Output, printable},
};

/// Keep tasks that agents work on alone, set them to work and see what came of it, through a gateway.
#[derive(Debug, Subcommand)]
pub enum Command {
    List(list::Args),
    Show(show::Args),
    Create(create::Args),
    Update(update::Args),
    Remove(remove::Args),
    Run(run::Args),
    Runs(runs::Args),
    ShowRun(show_run::Args),
}

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::List(args) => list::run(context, args).await,
        Command::Show(args) => show::run(context, args).await,
        Command::Create(args) => create::run(context, args).await,
        Command::Update(args) => update::run(context, args).await,
        Command::Remove(args) => remove::run(context, args).await,
        Command::Run(args) => run::run(context, args).await,
        Command::Runs(args) => runs::run(context, args).await,
        Command::ShowRun(args) => show_run::run(context, args).await,
    }
}

/// An automation, one line per fact that is there.
fn report(context: &Context, automation: &AutomationView) {
    if context.printer.output == Output::Json {
        return context.printer.json(automation);
    }
    let configuration = automation.default_configuration_id;
    lines(
        context,
        [
            ("id", Some(automation.id.to_string())),
            ("name", Some(automation.name.clone())),
            ("description", automation.description.clone()),
            ("enabled", Some(enabled(automation).to_owned())),
            ("model", Some(automation.model_id.clone())),
            ("configuration", configuration.map(|id| id.to_string())),
            ("created by", automation.created_by.clone()),
            ("created", Some(seconds(automation.created_at))),
            ("changed", Some(seconds(automation.updated_at))),
            ("instructions", Some(automation.agent_instructions.clone())),
        ],
    );
}

fn enabled(automation: &AutomationView) -> &'static str {
    if automation.enabled { "yes" } else { "no" }
}

fn status(run: &AutomationRunView) -> AutomationRunStatus {
    run.status.into()
}

fn lines<const N: usize>(context: &Context, facts: [(&str, Option<String>); N]) {
    let lines = facts
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name:<14} {}", printable(&value?))));
    context.printer.data(&lines.collect::<Vec<_>>().join("\n"));
}
