//! `proliferate context use`.

use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    saved_contexts::{DEV, contexts_file},
};

/// Make a saved gateway the current one; `dev` is the one that `proliferate dev` starts.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The context's name
    name: String,
}

pub(super) fn run(context: &Context, args: &Args) -> Outcome {
    let name = &args.name;
    contexts_file()?.change(|contexts| contexts.select(name))?;
    context.printer.note(&if name == DEV {
        "commands use the `dev.json` of the data directory from now on".to_owned()
    } else {
        format!("commands use `{name}` from now on")
    });
    Ok(Exit::Ok)
}
