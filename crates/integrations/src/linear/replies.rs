//! Replies of Linear. `errors` is a failure with any status, and also beside data.

use std::time::Duration;

use domain::clock::Timestamp;
use serde_json::{Value, json};

use crate::{
    FailureKind,
    failure::UpstreamFailure,
    http::{Reply, kind_of, reset_millis},
};

/// The rate windows, as its headers name them.
const WINDOWS: &[&str] = &["requests", "complexity", "endpoint-requests"];

pub(super) fn failure(reply: &Reply, now: Timestamp) -> Option<UpstreamFailure> {
    let document = reply.json().ok()?;
    let first = document["errors"].as_array()?.first()?;
    let extensions = &first["extensions"];
    let code = extensions["code"].as_str().unwrap_or_default();
    let message = first["message"].as_str().unwrap_or_default();
    let kind = kind(code, message)
        .or_else(|| kind_of(reply.status))
        .unwrap_or(FailureKind::Upstream);
    let shown = extensions["userPresentableMessage"].as_str();
    Some(UpstreamFailure {
        after: (kind == FailureKind::RateLimited)
            .then(|| reset(reply, now))
            .flatten(),
        // The fields that have data were executed.
        partly_done: has_data(&document["data"]),
        ..UpstreamFailure::with_detail(kind, shown.unwrap_or(message))
    })
}

fn kind(code: &str, message: &str) -> Option<FailureKind> {
    // Linear reports a missing entity as invalid input.
    if message.starts_with("Entity not found") {
        return Some(FailureKind::NotFound);
    }
    Some(match code {
        "RATELIMITED" => FailureKind::RateLimited,
        "AUTHENTICATION_ERROR" => FailureKind::Unauthorized,
        "FORBIDDEN" | "FEATURE_NOT_ACCESSIBLE" | "USAGE_LIMIT_EXCEEDED" => FailureKind::Forbidden,
        "ENTITY_NOT_FOUND" => FailureKind::NotFound,
        "INPUT_ERROR"
        | "INVALID_INPUT"
        | "USER_ERROR"
        | "BAD_USER_INPUT"
        | "GRAPHQL_PARSE_FAILED"
        | "GRAPHQL_VALIDATION_FAILED" => FailureKind::Invalid,
        "INTERNAL_SERVER_ERROR" | "LOCK_TIMEOUT" => FailureKind::Upstream,
        _ => return None,
    })
}

fn has_data(data: &Value) -> bool {
    let fields = data.as_object().into_iter().flatten();
    fields.into_iter().any(|(_, value)| !value.is_null())
}

/// When the last of the exhausted windows begins anew.
fn reset(reply: &Reply, now: Timestamp) -> Option<Duration> {
    let used_up = |window: &&&str| {
        let remaining = reply.header(&format!("x-ratelimit-{window}-remaining"));
        remaining.is_some_and(|text| text.trim() == "0")
    };
    let resets = WINDOWS
        .iter()
        .filter(used_up)
        .filter_map(|window| reset_millis(reply, &format!("x-ratelimit-{window}-reset"), now));
    resets.max()
}

/// A page of a list.
pub(super) fn page(reply: Reply, field: &str) -> Result<Value, UpstreamFailure> {
    let mut found = entity(reply, field)?;
    let next = match &found["pageInfo"] {
        info if info["hasNextPage"] == true => info["endCursor"].clone(),
        _ => Value::Null,
    };
    match found["nodes"].take() {
        Value::Array(items) => Ok(json!({"items": items, "next": next})),
        _ => Err(unexpected()),
    }
}

/// One thing that was asked for.
pub(super) fn entity(reply: Reply, field: &str) -> Result<Value, UpstreamFailure> {
    let mut document = reply.into_json()?;
    let data = document.get_mut("data").and_then(Value::as_object_mut);
    match data.and_then(|data| data.remove(field)) {
        Some(Value::Null) => Err(FailureKind::NotFound.into()),
        Some(found @ Value::Object(_)) => Ok(found),
        _ => Err(unexpected()),
    }
}

/// The entity that a mutation changed, if it reports success.
pub(super) fn done(
    reply: Reply,
    field: &str,
    entity_field: &str,
) -> Result<Value, UpstreamFailure> {
    let mut payload = entity(reply, field)?;
    match payload["success"] {
        Value::Bool(true) => Ok(json!({ entity_field: payload[entity_field].take() })),
        Value::Bool(false) => {
            let detail = "it says that it was not done";
            Err(UpstreamFailure::with_detail(FailureKind::Invalid, detail))
        }
        _ => Err(unexpected()),
    }
}

fn unexpected() -> UpstreamFailure {
    let detail = "the answer lacks what was asked for";
    UpstreamFailure::with_detail(FailureKind::MalformedReply, detail)
}
