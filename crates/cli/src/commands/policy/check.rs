//! `proliferate policy check`: whether a policy would be put in force, and under which pins.

use app::policy::{LoadedPolicy, PolicyFile, Problems};
use serde_json::{Value, json};

use super::{BUILT_IN, refused, source, versions_json};
use crate::{context::Context, exit::Exit, failure::Outcome, printer::Output};

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
    let source = source(&args.directory);
    match source.load().await {
        Ok(loaded) => {
            show(context, &loaded);
            Ok(Exit::Ok)
        }
        Err(problems) if context.printer.output == Output::Json => {
            context.printer.json(&problems_json(&problems));
            Ok(Exit::Failed)
        }
        Err(problems) => Err(refused(&source, &problems)),
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
    let row = |file: PolicyFile, entries: usize, pin: &domain::policy::FilePin| {
        let commit = pin.commit.clone().unwrap_or_else(|| "-".to_owned());
        vec![
            file.to_string(),
            entries.to_string(),
            pin.blob.clone(),
            commit,
        ]
    };
    let rows = [
        row(PolicyFile::Lanes, lanes, &versions.lanes),
        row(PolicyFile::Roles, roles, &versions.roles),
        row(PolicyFile::Tools, tools, &versions.tools),
    ];
    let headings = ["FILE", "ENTRIES", "BLOB", "COMMIT"];
    context.printer.table(&headings, &rows, "no files");
}

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
