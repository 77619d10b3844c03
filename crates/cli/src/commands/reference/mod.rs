//! `proliferate reference DIR`: writes every file of docs/reference. Hidden: `cargo xtask generate`
//! runs it, and compares.

mod command_page;
mod error_page;
mod session_rights;
mod source_list;

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Command;

use crate::{context::Context, exit::Exit, failure::Outcome, load::CATALOG};

/// Write the reference pages into a directory.
#[derive(Debug, clap::Args)]
pub struct Args {
    directory: PathBuf,
}

/// Writes the pages; that of the commands describes the whole of `proliferate`, of which this command is a part.
pub fn run(context: &Context, args: Args, proliferate: Command) -> Outcome {
    let directory = args.directory;
    std::fs::create_dir_all(&directory)
        .with_context(|| format!("cannot create {}", directory.display()))?;
    let files = [
        ("openapi.json", super::openapi::document()?),
        ("env.md", config::env_markdown(&CATALOG)),
        ("config.schema.json", config::schema_json(&CATALOG)),
        (
            "oidc-providers.schema.json",
            config::login::providers_schema_json(),
        ),
        ("cli.md", command_page::render(proliferate)),
        ("errors.md", error_page::render()),
        ("session-rights.json", session_rights::render()),
        ("sources.json", source_list::render()),
        ("agent-tools.md", agent::tool::reference_markdown()),
        ("live.schema.json", wire::live::json_schema()),
        ("live.d.ts", wire::live::typescript()),
    ];
    for (name, content) in &files {
        let path = directory.join(name);
        std::fs::write(&path, content)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    context.printer.note(&format!(
        "wrote {} files to {}",
        files.len(),
        directory.display()
    ));
    Ok(Exit::Ok)
}
