//! `proliferate config`: what the settings are and where they come from.

mod check;

use clap::Subcommand;

use crate::{context::Context, failure::Outcome};

/// Look at the settings.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    Check(check::Args),
}

pub fn run(context: &Context, command: ConfigCommand) -> Outcome {
    match command {
        ConfigCommand::Check(args) => check::run(context, &args),
    }
}
