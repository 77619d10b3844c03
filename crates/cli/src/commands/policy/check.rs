//! `proliferate policy check`: whether a policy would be put in force, and under which pins.

use app::policy::{LoadedPolicy, PolicyFile, Problems};
use domain::policy::FilePin;
use serde_json::{Value, json};

use super::{
    source::{BUILT_IN, refusal, source_of},
    text::versions_json,
};
use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    fields::{List, text},
    printer::Output,
};

/// Check the files of a policy and show their pins.
///
/// Exits 1 when there are mistakes, and lists all of them with their lines.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Directory with lanes.yaml, roles.yaml and tools.yaml; the built-in policy if not given
    #[arg(value_name = "DIR", default_value = BUILT_IN, hide_default_value = true)]
    directory: String,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let source = source_of(&args.directory);
    match source.load().await {
        Ok(loaded) => {
            show(context, &loaded);
            Ok(Exit::Ok)
        }
        Err(problems) if context.printer.output == Output::Json => {
            context.printer.json(&problems_json(&problems));
            Ok(Exit::Failed)
        }
        Err(problems) => Err(refusal(&source, &problems)),
    }
}

fn show(context: &Context, loaded: &LoadedPolicy) {
    let policy = &loaded.policy;
    let snapshot = policy.snapshot();
    let (lanes, roles) = (snapshot.lanes().count(), snapshot.roles().count());
    let tools = policy.tools().count();
    let versions = policy.versions();
    if context.printer.output == Output::Json {
        context.printer.json(&json!({
            "ok": true,
            "lanes": lanes,
            "roles": roles,
            "tools": tools,
            "versions": versions_json(versions),
            "warnings": loaded.warnings,
            "problems": [],
        }));
        return;
    }
    for warning in &loaded.warnings {
        context.printer.warning(warning);
    }
    let file = |file: PolicyFile, entries: usize, pin: &FilePin| CheckedFile {
        file,
        entries,
        pin: pin.clone(),
    };
    let files = [
        file(PolicyFile::Lanes, lanes, &versions.lanes),
        file(PolicyFile::Roles, roles, &versions.roles),
        file(PolicyFile::Tools, tools, &versions.tools),
    ];
    FILES.print_table(context.printer, &files);
}

/// A file of the policy, and the version of it that was checked.
struct CheckedFile {
    file: PolicyFile,
    entries: usize,
    pin: FilePin,
}

const FILES: List<CheckedFile> = List {
    columns: &[
        ("FILE", |it| text(&it.file)),
        ("ENTRIES", |it| text(&it.entries)),
        ("BLOB", |it| text(&it.pin.blob)),
        ("COMMIT", |it| it.pin.commit.clone()),
    ],
    none: "no files",
};

fn problems_json(problems: &Problems) -> Value {
    let all: Vec<Value> = problems
        .all
        .iter()
        .map(|problem| {
            json!({
                "file": problem.file.as_str(),
                "line": problem.line,
                "reason": problem.reason,
            })
        })
        .collect();
    json!({"ok": false, "warnings": [], "problems": all})
}
