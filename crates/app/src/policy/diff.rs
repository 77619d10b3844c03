//! What one policy changes against another, in terms of lanes, roles and tools rather than of lines.

use std::{collections::BTreeSet, fmt::Display};

use domain::policy::{CommandSpec, Engine, HttpSpec, Lane, PolicyRole, ToolSpec};

use super::load::Policy;

domain::text_enum! {
    /// What something in a policy is.
    EntryKind {
        Lane = "lane",
        Role = "role",
        Tool = "tool",
    }
}

/// Everything that differs: lanes, then roles, then tools, each by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PolicyDiff {
    pub changes: Vec<PolicyChange>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyChange {
    pub kind: EntryKind,
    pub name: String,
    pub what: ChangeKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeKind {
    Added,
    Removed,
    Changed(Vec<FieldChange>),
}

/// A field's values that are gone and those that are new; a single value counts as a list of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    pub field: &'static str,
    pub removed: Vec<String>,
    pub added: Vec<String>,
}

pub fn diff(old: &Policy, new: &Policy) -> PolicyDiff {
    let mut changes = Vec::new();
    let lanes = |policy: &Policy| described(policy.snapshot().lanes(), lane);
    let roles = |policy: &Policy| described(policy.snapshot().roles(), role);
    let tools = |policy: &Policy| described(policy.tools(), tool);
    compare(EntryKind::Lane, &lanes(old), &lanes(new), &mut changes);
    compare(EntryKind::Role, &roles(old), &roles(new), &mut changes);
    compare(EntryKind::Tool, &tools(old), &tools(new), &mut changes);
    PolicyDiff { changes }
}

/// A thing by name, as fields that are sets of words.
type Described = (String, Vec<Field>);
type Field = (&'static str, BTreeSet<String>);

fn described<'a, T: 'a>(
    things: impl Iterator<Item = &'a T>,
    describe: fn(&T) -> Described,
) -> Vec<Described> {
    things.map(describe).collect()
}

fn compare(kind: EntryKind, old: &[Described], new: &[Described], changes: &mut Vec<PolicyChange>) {
    let names: BTreeSet<&String> = old.iter().chain(new).map(|(name, _)| name).collect();
    for name in names {
        let of = |list: &[Described]| {
            let found = list.iter().find(|(other, _)| other == name);
            found.map(|(_, fields)| fields.clone())
        };
        let what = match (of(old), of(new)) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            (Some(old), Some(new)) => {
                let fields: Vec<_> = old.iter().zip(&new).filter_map(field_change).collect();
                if fields.is_empty() {
                    continue;
                }
                ChangeKind::Changed(fields)
            }
        };
        let name = name.clone();
        changes.push(PolicyChange { kind, name, what });
    }
}

fn field_change(((field, old), (_, new)): (&Field, &Field)) -> Option<FieldChange> {
    let without = |these: &BTreeSet<String>, those| these.difference(those).cloned().collect();
    (old != new).then(|| FieldChange {
        field,
        removed: without(old, new),
        added: without(new, old),
    })
}

fn lane(lane: &Lane) -> Described {
    let writes = lane.writes.iter();
    let fields = vec![
        one("purpose", &lane.purpose),
        many("roles", &lane.callers),
        many("tools", &lane.tools),
        (
            "writes",
            writes
                .map(|write| format!("{} ({})", write.table, write.mode))
                .collect(),
        ),
        many("requires", &lane.requires),
        many("prohibits", &lane.prohibits),
        (
            "approval_seconds",
            lane.hold
                .iter()
                .map(|hold| hold.as_secs().to_string())
                .collect(),
        ),
        (
            "approval_seconds_max",
            lane.hold_max
                .iter()
                .map(|hold| hold.as_secs().to_string())
                .collect(),
        ),
    ];
    (lane.id.to_string(), fields)
}

fn role(role: &PolicyRole) -> Described {
    let fields = vec![
        one("description", &role.description),
        one("class", role.class),
        many("lanes", &role.lanes),
    ];
    (role.id.to_string(), fields)
}

fn tool(tool: &ToolSpec) -> Described {
    let mut fields = vec![
        one("version", &tool.version),
        one("description", &tool.description),
        one("enabled", tool.enabled),
        one("executor", tool.executor()),
        one("timeout_ms", tool.timeout.as_millis()),
        one("idempotent", tool.idempotent),
        one("external", tool.external),
        one("writes_shared", tool.writes_shared),
        many("accepts", &tool.accepts),
        many("produces", &tool.produces),
        several("parameters", &tool.parameters),
    ];
    // The same fields whatever runs it, so that they can be compared one by one.
    let (command, http) = match &tool.engine {
        Engine::Builtin => (None, None),
        Engine::Command(command) => (Some(command), None),
        Engine::Http(http) => (None, Some(http)),
    };
    fields.extend(command_fields(command));
    fields.extend(http_fields(http));
    (tool.operation.to_string(), fields)
}

fn command_fields(command: Option<&CommandSpec>) -> [Field; 8] {
    let number = |field, of: fn(&CommandSpec) -> u64| several(field, command.map(of).as_slice());
    let steps = command.map_or(&[][..], |command| &command.steps);
    // Their order is part of what they do.
    let steps = steps.iter().enumerate();
    let steps: Vec<String> = steps
        .map(|(index, step)| format!("{}. {step}", index + 1))
        .collect();
    let probe = command.map_or(&[][..], |command| &command.probe);
    let probe: Vec<String> = probe.iter().map(ToString::to_string).collect();
    [
        several(
            "packages",
            command.map_or(&[][..], |command| &command.packages),
        ),
        ("probe", BTreeSet::from([probe.join(" ")])),
        number("memory_mb", |command| command.memory_bytes / (1024 * 1024)),
        number("processes_max", |command| command.processes_max.into()),
        number("work_bytes_max", |command| command.work_bytes_max),
        number("output_bytes_max", |command| command.output_bytes_max),
        several("steps", &steps),
        several(
            "outputs",
            command.map_or(&[][..], |command| &command.outputs),
        ),
    ]
}

fn http_fields(http: Option<&HttpSpec>) -> [Field; 5] {
    let text = |field, of: fn(&HttpSpec) -> String| several(field, http.map(of).as_slice());
    let types = BTreeSet::new();
    [
        text("url", |http| http.url.to_string()),
        text("send", |http| http.send.to_string()),
        text("answer_bytes_max", |http| http.output_bytes_max.to_string()),
        text("answer_kind", |http| http.output_kind.to_string()),
        many(
            "answer_types",
            http.map_or(&types, |http| &http.output_types),
        ),
    ]
}

fn several<T: Display>(field: &'static str, values: &[T]) -> Field {
    (field, values.iter().map(ToString::to_string).collect())
}

fn one(field: &'static str, value: impl Display) -> Field {
    (field, BTreeSet::from([value.to_string()]))
}

fn many<T: Display>(field: &'static str, values: &BTreeSet<T>) -> Field {
    (field, values.iter().map(ToString::to_string).collect())
}
