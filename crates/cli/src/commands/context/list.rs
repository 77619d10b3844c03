//! `proliferate context list`.

use serde::Serialize;

use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    fields::{List, text, yes_or_no},
    printer::Output,
    saved_contexts::{SavedContexts, contexts_file},
};

/// List the saved gateways, without their tokens.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// What is shown of one, which is never its token.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shown {
    pub(super) name: String,
    pub(super) is_current: bool,
    pub(super) url: String,
    pub(super) organization: Option<String>,
    pub(super) api_key_id: Option<uuid::Uuid>,
}

const LIST: List<Shown> = List {
    columns: &[
        ("NAME", |shown| text(&shown.name)),
        ("CURRENT", |shown| text(yes_or_no(shown.is_current))),
        ("URL", |shown| text(&shown.url)),
    ],
    none: "no contexts; `proliferate login URL` adds one",
};

pub(super) fn shown(saved: SavedContexts) -> Vec<Shown> {
    let SavedContexts { current, contexts } = saved;
    let shown = contexts.into_iter().map(|(name, context)| Shown {
        is_current: current.as_ref() == Some(&name),
        name,
        url: context.url,
        organization: context.organization,
        api_key_id: context.api_key_id,
    });
    shown.collect()
}

pub(super) fn run(context: &Context, _: &Args) -> Outcome {
    let shown = shown(contexts_file()?.read()?);
    match context.printer.output {
        Output::Json => context.printer.json(&shown),
        Output::Table => LIST.print_table(context.printer, &shown),
    }
    Ok(Exit::Ok)
}
