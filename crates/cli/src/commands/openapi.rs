//! `proliferate openapi`: the document that describes the HTTP API.

use std::path::PathBuf;

use anyhow::Context as _;

use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// Print the OpenAPI document of the HTTP API.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Write it to this file instead of stdout
    #[arg(long = "output", value_name = "FILE")]
    file: Option<PathBuf>,
}

pub fn run(context: &Context, args: Args) -> Outcome {
    let text = document()?;
    match args.file {
        None => context.printer.data(text.trim_end()),
        Some(path) => {
            std::fs::write(&path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
            context.printer.note(&format!("wrote {}", path.display()));
        }
    }
    Ok(Exit::Ok)
}

/// Indented, with a line end.
pub(super) fn document() -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(&gateway::openapi::document())
        .context("the OpenAPI document cannot be written as JSON")?;
    Ok(format!("{text}\n"))
}
