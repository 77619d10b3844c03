//! `proliferate budget`: what sessions of the organization may spend on their models, as a client of a gateway.

mod set;
mod show;

use clap::Subcommand;
use domain::model_usage::dollars;
use wire::model_usage::OrganizationBudgetView;

use crate::{client::connect as client, context::Context, failure::Outcome, printer::Output};

const PATH: &str = "/v1/organization/budget";

/// See and set what each session of the organization may spend on its models, through a gateway.
///
/// It counts where neither the session nor its configuration has a budget. Members look; only admins change it.
#[derive(Debug, Subcommand)]
pub enum Command {
    Show(show::Args),
    Set(set::Args),
}

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::Show(args) => show::run(context, args).await,
        Command::Set(args) => set::run(context, args).await,
    }
}

fn report(context: &Context, budget: &OrganizationBudgetView) {
    let printer = &context.printer;
    if printer.output == Output::Json {
        return printer.json(budget);
    }
    let in_force = budget.in_force_micro_usd.map(dollars);
    let in_force = in_force.unwrap_or_else(|| "no limit".to_owned());
    let whose = match budget.budget_micro_usd {
        Some(_) => "of the organization",
        None => "the gateway's setting",
    };
    printer.data(&format!("{in_force} for each session, {whose}"));
}
