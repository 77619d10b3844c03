//! `proliferate context show`.

use super::list::{Shown, shown};
use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    fields::{Record, optional, text, yes_or_no},
    saved_contexts::contexts_file,
};

/// Show a saved gateway, without its token; the current one if none is named.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The context's name
    name: Option<String>,
}

const RECORD: Record<Shown> = Record {
    facts: &[
        ("name", |shown| text(&shown.name)),
        ("current", |shown| text(yes_or_no(shown.is_current))),
        ("url", |shown| text(&shown.url)),
        ("organization", |shown| shown.organization.clone()),
        ("api key", |shown| optional(shown.api_key_id.as_ref())),
    ],
    repeated: &[],
};

pub(super) fn run(context: &Context, args: Args) -> Outcome {
    let saved = contexts_file()?.read()?;
    let name = args.name.or_else(|| saved.current.clone());
    let name = name.ok_or_else(|| {
        let message = "no context is current: commands use the `dev.json` of the data directory";
        Failure::new(Exit::NotFound, message)
            .hint("`proliferate context use NAME` makes one current")
    })?;
    // For its error, which says what there is.
    saved.get(&name)?;
    for one in shown(saved).iter().filter(|one| one.name == name) {
        RECORD.print(context.printer, one);
    }
    Ok(Exit::Ok)
}
