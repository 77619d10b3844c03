//! Notices as JSON: the messages of a session's stream, and the bodies of webhooks around the same content.
//! The names are a contract; `wire::notice` has the shapes, and a test of the gateway compares both.

use std::borrow::Cow;

use domain::{
    action::{Authority, DeniedBy, Effect, InvocationState},
    clock::Timestamp,
    notice::{ApprovalOutcome, NoticeKind},
    organization_spend::SpendNotice,
    visible::escape_text,
    webhook::Delivery,
};
use serde_json::{Map, Value, json};
use store::InvocationRecord;

/// What of a notice the invocation may no longer say later: it can be asked for again after it was approved.
pub(super) fn decision_fields(kind: NoticeKind, record: &InvocationRecord) -> Value {
    let state = &record.invocation.state;
    let mut fields = Map::new();
    match kind {
        NoticeKind::ActionApprovalRequest => {
            if let InvocationState::Pending {
                expires_at,
                returned,
            } = state
            {
                fields.insert("expiresAt".into(), json!(expires_at.to_string()));
                if let Some(why) = returned {
                    let changed = why.changed.iter().map(ToString::to_string);
                    fields.insert("returnedBecause".into(), changed.collect());
                }
            }
        }
        NoticeKind::ActionApprovalResult => {
            let outcome = ApprovalOutcome::of(state).map(ApprovalOutcome::as_str);
            fields.insert("status".into(), json!(outcome));
            let (by, reason) = decision_of(state);
            put(&mut fields, "approvedBy", by);
            put(&mut fields, "reason", reason);
        }
        NoticeKind::ActionCompleted => {
            fields.insert("status".into(), json!(state.status().as_str()));
        }
        // About no invocation.
        NoticeKind::SpendNotice => {}
    }
    Value::Object(fields)
}

/// The admin who decided, and the reason given.
fn decision_of(state: &InvocationState) -> (Option<String>, Option<String>) {
    match state {
        InvocationState::Approved { by, .. }
        | InvocationState::Executing {
            authority: Authority::Approval { by, .. },
            ..
        } => (Some(by.to_string()), None),
        InvocationState::Denied { by, reason, .. } => match by {
            DeniedBy::Person(user) => (Some(user.to_string()), reason.clone()),
            DeniedBy::Platform(refusal) => (None, Some(refusal.to_string())),
        },
        _ => (None, None),
    }
}

fn put(members: &mut Map<String, Value>, name: &str, value: Option<String>) {
    if let Some(value) = value {
        members.insert(name.into(), value.into());
    }
}

/// What is told now and then, with what the record says of the call itself.
fn payload(kind: NoticeKind, told: &Value, record: &InvocationRecord) -> Map<String, Value> {
    let invocation = &record.invocation;
    let mut payload = told.as_object().cloned().unwrap_or_default();
    for (name, value) in [
        ("invocationId", invocation.id.to_string()),
        ("integration", invocation.integration.to_string()),
        ("action", invocation.action.to_string()),
        ("riskLevel", invocation.risk.to_string()),
    ] {
        payload.insert(name.into(), value.into());
    }
    match kind {
        NoticeKind::ActionApprovalRequest => {
            let complete = invocation.is_call_with(&record.params);
            payload.insert("params".into(), record.params.clone());
            payload.insert("paramsComplete".into(), complete.into());
            let asked = invocation.binding.sha256();
            payload.insert("callSha256".into(), asked.as_str().into());
        }
        NoticeKind::ActionApprovalResult | NoticeKind::SpendNotice => {}
        NoticeKind::ActionCompleted => {
            if let Some(result) = &record.result {
                payload.insert("result".into(), result.clone());
            }
            if let InvocationState::Failed { error, effect, .. } = &invocation.state {
                payload.insert("error".into(), error.message.clone().into());
                let unknown = *effect == Effect::Unknown;
                payload.insert("outcomeUnknown".into(), unknown.into());
            }
        }
    }
    payload
}

/// A message of the session's stream.
pub(super) fn message(kind: NoticeKind, record: &InvocationRecord) -> Value {
    let payload = payload(kind, &decision_fields(kind, record), record);
    json!({"type": kind.as_str(), "payload": payload})
}

/// Writes every text in a value as people may see it: what is hidden in one is shown where a webhook shows it.
fn escape_strings(value: &mut Value) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => {
            if let Cow::Owned(shown) = escape_text(text) {
                *text = shown;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(escape_strings),
        Value::Object(members) => {
            *members = std::mem::take(members)
                .into_iter()
                .map(|(name, mut value)| {
                    escape_strings(&mut value);
                    (escape_text(&name).into_owned(), value)
                })
                .collect();
        }
    }
}

/// What a notice of a spend limit holds.
pub(super) fn spend_fields(notice: &SpendNotice, now: Timestamp) -> Value {
    json!({
        "period": notice.period.as_str(),
        "begins": notice.period.begins(now),
        "percent": notice.percent,
        "spentMicroUsd": notice.spent_micro_usd,
        "limitMicroUsd": notice.limit_micro_usd,
    })
}

/// The body of a delivery that is about no invocation: as it was when it was enqueued.
pub(crate) fn spend_webhook_body(delivery: &Delivery) -> Value {
    let mut data = delivery.told.as_object().cloned().unwrap_or_default();
    let organization_id = delivery.organization_id.to_string();
    data.insert("organizationId".into(), organization_id.into());
    json!({
        "type": delivery.event.as_str(),
        "timestamp": delivery.created_at.to_string(),
        "data": data,
    })
}

/// The body of a delivery. `record` is the invocation as it is now, which may be further on: `currentStatus`
/// says where, so that no admin decides what is already decided.
pub(crate) fn webhook_body(
    delivery: &Delivery,
    record: &InvocationRecord,
    now: Timestamp,
) -> Value {
    let invocation = &record.invocation;
    let status = invocation.state.clone().seen_at(now).status();
    let mut data = payload(delivery.event, &delivery.told, record);
    for value in data.values_mut() {
        escape_strings(value);
    }
    for (name, value) in [
        ("organizationId", invocation.organization_id.to_string()),
        ("sessionId", invocation.session_id.to_string()),
        ("currentStatus", status.to_string()),
    ] {
        data.insert(name.into(), value.into());
    }
    json!({
        "type": delivery.event.as_str(),
        "timestamp": delivery.created_at.to_string(),
        "data": data,
    })
}
