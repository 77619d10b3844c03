//! `proliferate config check`: every setting with its value and source, or every problem at once.

use config::{ConfigError, EffectiveSetting};
use serde_json::{Value, json};

use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    fields::{List, text},
    flags::{AllFlags, Flags},
    load::{Loaded, load},
    printer::Output,
};

/// Show every setting, its value and where it comes from; secrets stay hidden.
///
/// Exits 1 when there are problems, and lists all of them. Takes the flags of `serve`, so that a
/// command line can be tried.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    flags: Flags<AllFlags>,
}

pub(super) fn run(context: &Context, args: &Args) -> Outcome {
    match load(context, &args.flags.overrides) {
        Ok(loaded) => {
            show(context, &loaded);
            Ok(Exit::Ok)
        }
        Err(error) if context.printer.output == Output::Json => {
            context.printer.json(&problems(&error));
            Ok(Exit::Failed)
        }
        Err(error) => Err(Failure::new(Exit::Failed, error.to_string())),
    }
}

/// Settings, and the source of each.
const SETTINGS: List<(EffectiveSetting, String)> = List {
    columns: &[
        ("SETTING", |(setting, _)| text(&setting.setting)),
        ("VALUE", |(setting, _)| text(&setting.value)),
        ("SOURCE", |(_, source)| text(source)),
    ],
    none: "no settings",
};

fn show(context: &Context, loaded: &Loaded) {
    let rows = loaded.settings.effective().iter();
    match context.printer.output {
        Output::Json => {
            let settings: Vec<Value> = rows
                .map(|row| {
                    json!({
                        "setting": row.setting,
                        "value": row.value,
                        "source": source(loaded, row),
                    })
                })
                .collect();
            context
                .printer
                .json(&json!({"ok": true, "settings": settings, "problems": []}));
        }
        Output::Table => {
            let rows = rows.map(|row| (row.clone(), source(loaded, row)));
            SETTINGS.print_table(context.printer, &rows.collect::<Vec<_>>());
        }
    }
}

/// A key file of the data directory is found, not given: naming its flag would send readers looking
/// for one.
fn source(loaded: &Loaded, row: &EffectiveSetting) -> String {
    let found = loaded
        .from_key_files
        .iter()
        .find(|secret| secret.value.path == row.setting);
    match found {
        Some(secret) => format!("file {}", loaded.data_dir.key_file(secret).display()),
        None => row.source.to_string(),
    }
}

fn problems(error: &ConfigError) -> Value {
    let problems: Vec<Value> = error
        .problems
        .iter()
        .map(|problem| {
            json!({
                "setting": problem.setting,
                "source": problem.source.to_string(),
                "message": problem.message,
                "hint": problem.hint,
            })
        })
        .collect();
    json!({"ok": false, "settings": [], "problems": problems})
}
