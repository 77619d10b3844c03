//! The bodies, in the gateway's own shapes: each is read back as the type of `wire` before it is sent.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;
use wire::{
    action::{AvailableActions, InvocationView, InvokeResponse},
    grant::{GrantRequestResponse, RequestGrantRequest},
};

use crate::program::SESSION;

/// How an invocation ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Completed,
    /// With `null` as its result.
    CompletedWithNull,
    /// With a record that was cut.
    CompletedLarge,
    Failed,
    Unknown,
    Denied,
    Expired,
}

/// The value, once it is known to be a `T`.
fn checked<T: DeserializeOwned>(value: Value) -> Value {
    serde_json::from_value::<T>(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"));
    value
}

pub(super) fn invocation(id: Uuid, end: Option<End>, params: &Value) -> Value {
    let cut = json!({"_truncated": true, "_originalSize": 20_000, "_preview": "["});
    let (status, result, error) = match end {
        None => ("pending", Value::Null, None),
        Some(End::Completed) => ("completed", json!({"id": "ENG-1"}), None),
        Some(End::CompletedWithNull) => ("completed", Value::Null, None),
        Some(End::CompletedLarge) => ("completed", cut, None),
        Some(End::Failed) => ("failed", Value::Null, Some("the team does not exist")),
        Some(End::Unknown) => ("failed", Value::Null, Some("no answer in 30 s")),
        Some(End::Denied) => ("denied", Value::Null, Some("not today")),
        Some(End::Expired) => (
            "expired",
            Value::Null,
            Some("the time to decide ended without a decision"),
        ),
    };
    let artifact = (end == Some(End::CompletedLarge)).then_some(SESSION);
    checked::<InvocationView>(json!({
        "id": id, "sessionId": SESSION, "organizationId": "acme", "runId": id, "integrationId": null,
        "integration": "linear", "action": "create_issue", "riskLevel": "write", "params": params,
        "callSha256": "0".repeat(64), "status": status, "result": result, "resultArtifactId": artifact,
        "error": error, "outcomeUnknown": end == Some(End::Unknown), "durationMs": null,
        "authority": null, "approvedBy": null, "approvedAt": null, "completedAt": null,
        "expiresAt": null, "createdAt": "2026-01-05T09:30:00Z",
    }))
}

/// Status and body of the answer to `invoke`.
pub(super) fn invoked(id: Uuid, end: Option<End>, params: &Value) -> (u16, Value) {
    let mut answer = json!({"invocation": invocation(id, end, params)});
    let status = match end {
        None => {
            answer["message"] = json!("Action requires approval");
            202
        }
        Some(End::Completed | End::CompletedWithNull | End::CompletedLarge) => {
            answer["result"] = answer["invocation"]["result"].clone();
            200
        }
        Some(End::Denied | End::Expired) => {
            answer["error"] = answer["invocation"]["error"].clone();
            403
        }
        Some(End::Failed | End::Unknown) => {
            answer["error"] = answer["invocation"]["error"].clone();
            502
        }
    };
    (status, checked::<InvokeResponse>(answer))
}

pub(super) fn available() -> Value {
    let param =
        json!({"name": "teamId", "type": "string", "required": true, "description": "Which team"});
    let action = json!({"name": "create_issue", "description": "Creates an issue", "riskLevel": "write",
        "params": [param]});
    checked::<AvailableActions>(json!({
        "integrations": [{"integrationId": null, "integration": "linear", "displayName": "Linear",
            "actions": [action]}],
        "unavailable": [],
    }))
}

pub(super) fn grant_requested(request: &RequestGrantRequest) -> Value {
    checked::<GrantRequestResponse>(json!({
        "grantRequest": {"id": SESSION, "sessionId": SESSION, "scope": request.scope,
            "integration": request.integration, "action": request.action, "maxCalls": request.max_calls,
            "status": "pending", "decidedBy": null, "decidedAt": null, "reason": null, "grantId": null,
            "expiresAt": null, "createdAt": "2026-01-05T09:30:00Z"},
        "message": "An admin has to decide",
    }))
}
