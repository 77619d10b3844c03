//! `tools.yaml`: what can be called, and what it does to the world.

use std::{collections::BTreeMap, time::Duration};

use domain::{
    limits::{POLICY_TOOLS_MAX, TOOL_TIMEOUT_MAX},
    policy::{ArtifactKind, Engine, Executor, MediaType, Operation, ToolSpec, ToolVersion},
};

use super::{
    command,
    entries::{EntryLines, each_entry},
    fields::{Fields, Spot},
    http,
    lanes::values,
    parameters,
    problem::Report,
    yaml::Node,
};

pub(super) fn read(
    root: &Node,
    report: &mut Report,
    lines: &mut EntryLines,
) -> BTreeMap<Operation, ToolSpec> {
    let mut tools = BTreeMap::new();
    let list = (root, "tools", POLICY_TOOLS_MAX);
    each_entry(list, report, lines, |fields, report, _| {
        let (operation, spec) = tool(fields, report);
        let Spot { line, value: name } = operation?;
        if let Some(spec) = spec
            && tools.insert(name.clone(), spec).is_some()
        {
            report.at(line, format!("tool {name} is registered twice"));
        }
        Some(name.to_string())
    });
    tools
}

/// The operation as far as it could be read, and the tool if all of it could.
fn tool(
    mut fields: Fields<'_>,
    report: &mut Report,
) -> (Option<Spot<Operation>>, Option<ToolSpec>) {
    let operation = fields.word::<Operation>("operation", report);
    let version = fields.word::<ToolVersion>("version", report);
    let description = fields.prose("description", report);
    let enabled = fields.flag("enabled", report);
    let executor = fields.word::<Executor>("executor", report);
    let timeout = timeout(&mut fields, report);
    let idempotent = fields.flag("idempotent", report);
    let external = fields.flag("external", report);
    let writes_shared = fields.flag("writes_shared", report);
    let accepts = fields.words::<MediaType>("accepts", report);
    let produces = fields.words::<ArtifactKind>("produces", report);
    let mut parameters = Some(Vec::new());
    let engine = match executor.as_ref().map(|executor| executor.value) {
        // Code of ours knows what it takes; the keys below would be unknown ones.
        Some(Executor::Builtin) => Some(Engine::Builtin),
        Some(Executor::Command) => {
            parameters = parameters::read(&mut fields, report);
            command::read(&mut fields, report).map(Engine::Command)
        }
        Some(Executor::Http) => {
            parameters = parameters::read(&mut fields, report);
            http::read(&mut fields, report).map(Engine::Http)
        }
        // Which of them belong here is unknown without the kind.
        None => {
            _ = ["parameters", "command", "http"].map(|key| fields.has(key));
            None
        }
    };
    let line = fields.line();
    let path = fields.path_of("");
    fields.close(report);
    let spec = || {
        Some(ToolSpec {
            operation: operation.as_ref()?.value.clone(),
            version: version?.value,
            description: description?,
            enabled: enabled?.value,
            engine: engine?,
            parameters: parameters?,
            timeout: timeout?,
            idempotent: idempotent?.value,
            external: external?.value,
            writes_shared: writes_shared?.value,
            accepts: values(accepts),
            produces: values(produces),
        })
    };
    let spec = spec();
    if let Some(spec) = &spec {
        let place = path.trim_end_matches('.');
        for reason in engine_problems(spec) {
            report.at(line, format!("{place}: {reason}"));
        }
    }
    (operation, spec)
}

/// Where the parts of a tool do not fit each other.
fn engine_problems(spec: &ToolSpec) -> Vec<String> {
    match &spec.engine {
        Engine::Builtin => Vec::new(),
        Engine::Command(engine) => command::problems(spec, engine),
        Engine::Http(engine) => http::problems(spec, engine),
    }
}

fn timeout(fields: &mut Fields<'_>, report: &mut Report) -> Option<Duration> {
    let millis = fields.number("timeout_ms", report)?;
    let timeout = Duration::from_millis(millis.value);
    if timeout.is_zero() || timeout > TOOL_TIMEOUT_MAX {
        let max = TOOL_TIMEOUT_MAX.as_millis();
        let path = fields.path_of("timeout_ms");
        let reason = format!("{path}: must be between 1 and {max}");
        report.at(millis.line, reason);
        return None;
    }
    Some(timeout)
}
