//! `proliferate completions`: scripts that let a shell complete our commands.

use clap::Command;
use clap_complete::Shell;

use crate::{context::Context, exit::Exit, failure::Outcome};

/// Print a completion script for a shell.
///
/// For bash: `proliferate completions bash > ~/.local/share/bash-completion/completions/proliferate`
#[derive(Debug, clap::Args)]
pub struct Args {
    shell: Shell,
}

/// Prints the script for the whole of `proliferate`, of which this command is a part.
pub fn run(context: &Context, args: &Args, mut proliferate: Command) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut proliferate, "proliferate", &mut script);
    context
        .printer
        .data(String::from_utf8_lossy(&script).trim_end());
    Ok(Exit::Ok)
}
