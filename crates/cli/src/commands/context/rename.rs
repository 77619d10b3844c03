//! `proliferate context rename`.

use crate::{context::Context, exit::Exit, failure::Outcome, saved_contexts::contexts_file};

/// Give a saved gateway another name.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its name until now
    old: String,
    /// Its name from now on
    new: String,
}

pub(super) fn run(context: &Context, args: &Args) -> Outcome {
    let Args { old, new } = args;
    contexts_file()?.change(|contexts| contexts.rename(old, new))?;
    context
        .printer
        .note(&format!("`{old}` is `{new}` from now on"));
    Ok(Exit::Ok)
}
