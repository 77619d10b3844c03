//! `proliferate context remove`.

use crate::{context::Context, exit::Exit, failure::Outcome, saved_contexts::contexts_file};

/// Forget a saved gateway and its token. The token stays good there: `proliferate logout` ends it as well.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The context's name
    name: String,
}

pub(super) fn run(context: &Context, args: &Args) -> Outcome {
    let name = &args.name;
    let removed = contexts_file()?.change(|contexts| contexts.remove(name))?;
    context.printer.note(&format!("`{name}` is forgotten"));
    if removed.api_key_id.is_some() {
        let url = removed.url;
        context.printer.warning(&format!(
            "its API key is still good; revoke it in Settings of {url}"
        ));
    }
    Ok(Exit::Ok)
}
