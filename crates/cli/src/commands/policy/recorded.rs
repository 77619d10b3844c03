//! `proliferate policy why RUN`: what is on record about a call, and what the rule that denied it means.

use app::{
    policy::meaning,
    runs::{self, RecordedRun},
};
use domain::{id::RunId, policy::RuleId, run::RunState};
use serde_json::{Value, json};
use store::AuditRecord;

use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    fields::{List, Record, optional, text},
    operator::Operator,
    printer::{Output, Tone, printable},
};

/// A run with its events, as they were hashed and with their place in the log.
struct RecordedCall {
    recorded: RecordedRun,
    events: Vec<Value>,
}

const RECORD: Record<RecordedCall> = Record {
    facts: &[
        ("run", |call| text(&call.recorded.run.id)),
        ("operation", |call| {
            text(&call.recorded.run.target.as_ref()?.operation)
        }),
        ("lane", |call| {
            let lane = call.recorded.run.target.as_ref()?.lane.as_ref();
            Some(lane.map_or("-", |lane| lane.as_str()).to_owned())
        }),
        ("by", |call| {
            let actor = &call.recorded.run.actor;
            Some(format!("{} {}", actor.class, actor.id))
        }),
        ("role", |call| text(&call.recorded.run.actor.role)),
        ("case", |call| optional(call.recorded.run.case_id.as_ref())),
        ("session", |call| {
            optional(call.recorded.run.session_id.as_ref())
        }),
        ("parent", |call| {
            optional(call.recorded.run.parent_id.as_ref())
        }),
        ("lanes.yaml", |call| {
            optional(pins(&call.events)["lanes"].as_str().as_ref())
        }),
        ("roles.yaml", |call| {
            optional(pins(&call.events)["roles"].as_str().as_ref())
        }),
    ],
    repeated: &[],
};

const EVENTS: List<Value> = List {
    columns: &[
        ("SEQ", |event| cell(&event["seq"])),
        ("TIME", |event| cell(&event["timestamp_utc"])),
        ("EVENT", |event| cell(&event["action_type"])),
        ("OUTCOME", |event| cell(&event["outcome"])),
        ("REASON", |event| cell(&event["outcome_reason"])),
    ],
    none: "no events",
};

pub(super) async fn run(
    context: &Context,
    operator: Operator,
    organization_id: &domain::id::OrganizationId,
    id: RunId,
) -> Outcome {
    let recorded = runs::recorded(&operator.app, organization_id, id).await?;
    operator.app.db.close().await;
    let events = recorded.events.iter().map(event).collect();
    let call = RecordedCall { recorded, events };
    match context.printer.output {
        Output::Json => context.printer.json(&as_json(&call)),
        Output::Table => print(context, &call),
    }
    Ok(match call.recorded.run.state {
        RunState::Denied { .. } => Exit::Failed,
        _ => Exit::Ok,
    })
}

/// The event as it was recorded, with its place in the log.
fn event(record: &AuditRecord) -> Value {
    let mut event: Value = serde_json::from_str(&record.event).unwrap_or_default();
    if let Some(members) = event.as_object_mut() {
        members.insert("seq".to_owned(), json!(record.seq));
    }
    event
}

/// The first event that says under which policy.
fn pins(events: &[Value]) -> Value {
    let versions = events.iter().map(|event| &event["policy_versions"]);
    versions.into_iter().next().cloned().unwrap_or_default()
}

fn as_json(RecordedCall { recorded, events }: &RecordedCall) -> Value {
    let run = &recorded.run;
    let target = run.target.as_ref();
    json!({
        "run_id": run.id.to_string(),
        "status": run.state.status().as_str(),
        "reason": run.reason,
        "rule": recorded.rule().map(RuleId::as_str),
        "meaning": recorded.rule().map(meaning),
        "operation": target.map(|target| target.operation.as_str()),
        "lane_id": target.and_then(|target| target.lane.as_ref()).map(domain::policy::LaneId::as_str),
        "actor": {
            "actor_type": run.actor.class.as_str(),
            "actor_id": run.actor.id,
            "role_id": run.actor.role.as_str(),
        },
        "case_id": run.case_id.as_ref().map(domain::policy::CaseId::as_str),
        "session_id": run.session_id.map(|id| id.to_string()),
        "policy_versions": pins(events),
        "events": events,
    })
}

fn print(context: &Context, call: &RecordedCall) {
    let printer = context.printer;
    let run = &call.recorded.run;
    let status = run.state.status();
    let tone = match run.state {
        RunState::Denied { .. } | RunState::Failed { .. } => Tone::Bad,
        RunState::Completed { .. } => Tone::Good,
        _ => Tone::Plain,
    };
    let mut first = printer.paint(status.as_str(), tone);
    if let Some(reason) = &run.reason {
        first = format!("{first}: {}", printable(reason));
    }
    let mut lines = vec![first];
    let rule = call.recorded.rule();
    lines.extend(rule.map(|rule| format!("  {}", meaning(rule))));
    lines.extend(RECORD.lines(call));
    lines.push(String::new());
    printer.data(&lines.join("\n"));
    EVENTS.print_table(printer, &call.events);
}

fn cell(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
