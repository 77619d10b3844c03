//! `proliferate policy show`: the lanes of a policy, or one lane, role or tool in full.

use app::policy::Policy;
use domain::policy::{Engine, Lane, LaneId, Operation, PolicyRole, RoleId, ToolSpec};
use serde_json::{Value, json};

use super::{
    source::{PolicyArgs, load},
    text::{strings, versions_json},
};
use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    fields::{List, joined, text},
    printer::{Output, printable},
};

/// Show what a policy says.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Show this lane in full
    #[arg(long, value_name = "LANE", group = "one")]
    lane: Option<LaneId>,
    /// Show this role in full
    #[arg(long, value_name = "ROLE", group = "one")]
    role: Option<RoleId>,
    /// Show this tool in full
    #[arg(long, value_name = "OPERATION", group = "one")]
    tool: Option<Operation>,
    #[command(flatten)]
    policy: PolicyArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let policy = load(context, &args.policy.policy).await?;
    let one = if let Some(id) = &args.lane {
        let lane = policy
            .snapshot()
            .lane(id)
            .ok_or_else(|| missing("lane", id))?;
        lane_fields(lane)
    } else if let Some(id) = &args.role {
        let role = policy
            .snapshot()
            .role(id)
            .ok_or_else(|| missing("role", id))?;
        role_fields(role)
    } else if let Some(id) = &args.tool {
        tool_fields(policy.tool(id).ok_or_else(|| missing("tool", id))?)
    } else {
        all(context, &policy);
        return Ok(Exit::Ok);
    };
    match context.printer.output {
        Output::Json => context.printer.json(&object(one)),
        Output::Table => context.printer.data(&facts(&one)),
    }
    Ok(Exit::Ok)
}

fn missing(kind: &str, id: &impl ToString) -> Failure {
    let message = format!("the policy has no {kind} {}", id.to_string());
    Failure::new(Exit::NotFound, message).hint("`proliferate policy show` lists what there is")
}

fn all(context: &Context, policy: &Policy) {
    let snapshot = policy.snapshot();
    if context.printer.output == Output::Json {
        let lanes: Vec<Value> = snapshot.lanes().map(lane_fields).map(object).collect();
        let roles: Vec<Value> = snapshot.roles().map(role_fields).map(object).collect();
        let tools: Vec<Value> = policy.tools().map(tool_fields).map(object).collect();
        context.printer.json(&json!({
            "versions": versions_json(policy.versions()),
            "lanes": lanes,
            "roles": roles,
            "tools": tools,
        }));
        return;
    }
    LANES.print_table(context.printer, snapshot.lanes());
}

const LANES: List<Lane> = List {
    columns: &[
        ("LANE", |lane| text(&lane.id)),
        ("ROLES", |lane| joined(&lane.callers)),
        ("ALLOWS", |lane| {
            let tools = strings(&lane.tools).into_iter();
            joined(tools.chain(lane.writes.iter().map(|write| write.table.to_string())))
        }),
    ],
    none: "no lanes",
};

/// Fields in the order of their lines; JSON has its own.
type PolicyFields = Vec<(&'static str, Value)>;

fn object(fields: PolicyFields) -> Value {
    let named = fields.into_iter();
    named
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn lane_fields(lane: &Lane) -> PolicyFields {
    let writes: Vec<String> = lane
        .writes
        .iter()
        .map(|write| format!("{} ({})", write.table, write.mode))
        .collect();
    vec![
        ("lane_id", json!(lane.id.as_str())),
        ("purpose", json!(lane.purpose)),
        ("roles", json!(strings(&lane.callers))),
        ("tools", json!(strings(&lane.tools))),
        ("writes", json!(writes)),
        ("requires", json!(strings(&lane.requires))),
        ("prohibits", json!(strings(&lane.prohibits))),
        (
            "approval_seconds",
            json!(lane.hold.map(|hold| hold.as_secs())),
        ),
        (
            "approval_seconds_max",
            json!(lane.approval_ceiling().as_secs()),
        ),
    ]
}

fn role_fields(role: &PolicyRole) -> PolicyFields {
    vec![
        ("role_id", json!(role.id.as_str())),
        ("description", json!(role.description)),
        ("class", json!(role.class.as_str())),
        ("lanes", json!(strings(&role.lanes))),
    ]
}

fn tool_fields(tool: &ToolSpec) -> PolicyFields {
    let timeout_ms = u64::try_from(tool.timeout.as_millis()).unwrap_or(u64::MAX);
    let mut fields = vec![
        ("operation", json!(tool.operation.as_str())),
        ("version", json!(tool.version.as_str())),
        ("description", json!(tool.description)),
        ("enabled", json!(tool.enabled)),
        ("executor", json!(tool.executor().as_str())),
        ("timeout_ms", json!(timeout_ms)),
        ("idempotent", json!(tool.idempotent)),
        ("external", json!(tool.external)),
        ("writes_shared", json!(tool.writes_shared)),
        ("accepts", json!(strings(&tool.accepts))),
        ("produces", json!(strings(&tool.produces))),
    ];
    match &tool.engine {
        Engine::Builtin => return fields,
        Engine::Command(command) => fields.extend([
            ("parameters", json!(strings(&tool.parameters))),
            ("packages", json!(strings(&command.packages))),
            ("probe", json!(strings(&command.probe).join(" "))),
            ("memory_mb", json!(command.memory_bytes / (1024 * 1024))),
            ("processes_max", json!(command.processes_max)),
            ("work_bytes_max", json!(command.work_bytes_max)),
            ("output_bytes_max", json!(command.output_bytes_max)),
            ("steps", json!(strings(&command.steps))),
            ("outputs", json!(strings(&command.outputs))),
        ]),
        Engine::Http(http) => fields.extend([
            ("parameters", json!(strings(&tool.parameters))),
            ("url", json!(http.url.as_str())),
            ("send", json!(http.send.as_str())),
            ("answer_bytes_max", json!(http.output_bytes_max)),
            ("answer_kind", json!(http.output_kind.as_str())),
            ("answer_types", json!(strings(&http.output_types))),
        ]),
    }
    fields
}

/// One line per field.
fn facts(fields: &[(&str, Value)]) -> String {
    let widths = fields.iter().map(|(name, _)| name.len());
    let width = widths.max().unwrap_or_default().max(14);
    let lines = fields.iter().map(|(name, value)| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Array(items) => {
                joined(items.iter().filter_map(Value::as_str)).unwrap_or_else(|| "-".to_owned())
            }
            other => other.to_string(),
        };
        format!("{name:<width$} {}", printable(&text))
    });
    lines.collect::<Vec<_>>().join("\n")
}
