//! `proliferate policy why RUN`: what is on record about a call, and what the rule that denied it means.

use app::{
    policy::meaning,
    runs::{self, RecordedRun},
};
use domain::{id::RunId, policy::RuleId, run::RunState};
use serde_json::{Value, json};
use store::AuditRecord;

use crate::{
    commands::token::Opened,
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::{Output, Tone, printable},
};

pub(super) async fn run(
    context: &Context,
    opened: Opened,
    organization_id: &domain::id::OrganizationId,
    id: RunId,
) -> Outcome {
    let recorded = runs::recorded(&opened.app, organization_id, id).await?;
    opened.app.db.close().await;
    let events: Vec<Value> = recorded.events.iter().map(event).collect();
    match context.printer.output {
        Output::Json => context.printer.json(&as_json(&recorded, &events)),
        Output::Table => print(context, &recorded, &events),
    }
    Ok(match recorded.run.state {
        RunState::Denied { .. } => Exit::Failed,
        _ => Exit::Ok,
    })
}

/// The event alone, without its place.
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

fn as_json(recorded: &RecordedRun, events: &[Value]) -> Value {
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

fn print(context: &Context, recorded: &RecordedRun, events: &[Value]) {
    let printer = &context.printer;
    let run = &recorded.run;
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
    lines.extend(recorded.rule().map(|rule| format!("  {}", meaning(rule))));
    let target = run.target.as_ref();
    let lane = target.map(|target| target.lane.as_ref());
    let lane = lane.map(|lane| lane.map_or("-", |lane| lane.as_str()).to_owned());
    let pins = pins(events);
    let pin = |file: &str| pins[file].as_str().map(str::to_owned);
    let facts = [
        ("run", Some(run.id.to_string())),
        (
            "operation",
            target.map(|target| target.operation.to_string()),
        ),
        ("lane", lane),
        ("by", Some(format!("{} {}", run.actor.class, run.actor.id))),
        ("role", Some(run.actor.role.to_string())),
        ("case", run.case_id.as_ref().map(ToString::to_string)),
        ("session", run.session_id.map(|id| id.to_string())),
        ("parent", run.parent_id.map(|id| id.to_string())),
        ("lanes.yaml", pin("lanes")),
        ("roles.yaml", pin("roles")),
    ];
    for (name, value) in facts {
        lines.extend(value.map(|value| format!("{name:<14} {}", printable(&value))));
    }
    lines.push(String::new());
    printer.data(&lines.join("\n"));
    let text = |event: &Value, name: &str| match &event[name] {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => "-".to_owned(),
    };
    let columns = [
        "seq",
        "timestamp_utc",
        "action_type",
        "outcome",
        "outcome_reason",
    ];
    let row = |event: &Value| columns.iter().map(|name| text(event, name)).collect();
    let rows: Vec<Vec<String>> = events.iter().map(row).collect();
    let headings = ["SEQ", "TIME", "EVENT", "OUTCOME", "REASON"];
    printer.table(&headings, &rows, "no events");
}
