//! `proliferate policy diff`: what one policy changes against another.

use app::policy::{ChangeKind, FieldChange, PolicyChange, diff};
use serde_json::{Value, json};

use super::source::load;
use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::{Output, printable},
};

/// Show what a policy changes against another: lanes, roles and tools, not lines.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The old one: a directory, or `builtin`
    #[arg(value_name = "OLD")]
    old: String,
    /// The new one: a directory, or `builtin`
    #[arg(value_name = "NEW")]
    new: String,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let old = load(context, &args.old).await?;
    let new = load(context, &args.new).await?;
    let changes = diff(&old, &new).changes;
    match context.printer.output {
        Output::Json => {
            let changes: Vec<Value> = changes.iter().map(change_json).collect();
            context.printer.json(&json!({"changes": changes}));
        }
        Output::Table if changes.is_empty() => {
            context.printer.note("the policies say the same");
        }
        Output::Table => {
            let lines: Vec<String> = changes.iter().flat_map(lines).collect();
            context.printer.data(&lines.join("\n"));
        }
    }
    Ok(Exit::Ok)
}

fn change_json(change: &PolicyChange) -> Value {
    let (what, fields) = match &change.what {
        ChangeKind::Added => ("added", &[][..]),
        ChangeKind::Removed => ("removed", &[][..]),
        ChangeKind::Changed(fields) => ("changed", &**fields),
    };
    let field = |field: &FieldChange| json!({"field": field.field, "removed": field.removed, "added": field.added});
    let fields: Vec<Value> = fields.iter().map(field).collect();
    json!({"kind": change.kind.as_str(), "name": change.name, "change": what, "fields": fields})
}

/// As in a diff of lines: `+` is new, `-` is gone, `~` differs in what stands below it.
fn lines(change: &PolicyChange) -> Vec<String> {
    let (sign, fields) = match &change.what {
        ChangeKind::Added => ('+', &[][..]),
        ChangeKind::Removed => ('-', &[][..]),
        ChangeKind::Changed(fields) => ('~', &**fields),
    };
    let mut lines = vec![format!("{sign} {} {}", change.kind, change.name)];
    for field in fields {
        let gone = field.removed.iter().map(|value| ('-', value));
        let new = field.added.iter().map(|value| ('+', value));
        let values = gone.chain(new);
        lines.extend(
            values.map(|(sign, value)| format!("    {sign} {}: {}", field.field, printable(value))),
        );
    }
    lines
}
