//! `proliferate context`: the gateways that a person works with. Works on their own file alone.

mod add;
mod list;
mod remove;
mod rename;
mod select;
mod show;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Save gateways with their tokens, and switch between them.
///
/// They are in `proliferate/contexts.json` of your configuration directory, which only you can read. `proliferate login`
/// adds one; `--context NAME` and PROLIFERATE_CONTEXT choose one for a command.
#[derive(Debug, Subcommand)]
pub enum ContextCommand {
    List(list::Args),
    Show(show::Args),
    Use(select::Args),
    Add(add::Args),
    Rename(rename::Args),
    Remove(remove::Args),
}

pub fn run(context: &Context, command: ContextCommand) -> Outcome {
    match command {
        ContextCommand::List(args) => list::run(context, &args),
        ContextCommand::Show(args) => show::run(context, args),
        ContextCommand::Use(args) => select::run(context, &args),
        ContextCommand::Add(args) => add::run(context, args),
        ContextCommand::Rename(args) => rename::run(context, &args),
        ContextCommand::Remove(args) => remove::run(context, &args),
    }
}
