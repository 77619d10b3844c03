//! Replies of Sentry.

use domain::clock::Timestamp;
use serde_json::{Value, json};

use crate::{
    FailureKind,
    failure::UpstreamFailure,
    http::{Reply, kind_of, next_link, reset_seconds},
};

pub(super) fn failure(reply: &Reply, now: Timestamp) -> Option<UpstreamFailure> {
    let kind = kind_of(reply.status)?;
    let reset = || reset_seconds(reply, "x-sentry-rate-limit-reset", now);
    Some(UpstreamFailure {
        detail: reply.json().ok().and_then(detail),
        after: (kind == FailureKind::RateLimited).then(reset).flatten(),
        ..kind.into()
    })
}

/// `detail` is a text or an object with one; mistakes in fields are lists by the field's name.
fn detail(document: &Value) -> Option<String> {
    let detail = &document["detail"];
    let text = detail.as_str().or(detail["message"].as_str());
    if let Some(text) = text {
        return Some(text.to_owned());
    }
    let problems: Vec<String> = document
        .as_object()?
        .iter()
        .filter_map(|(field, problems)| Some((field, problems.as_array()?)))
        .flat_map(|(field, problems)| {
            let texts = problems.iter().filter_map(Value::as_str);
            texts.map(move |text| format!("{field}: {text}"))
        })
        .collect();
    (!problems.is_empty()).then(|| problems.join("; "))
}

pub(super) fn page(reply: Reply) -> Result<Value, UpstreamFailure> {
    let next = reply
        .header("link")
        .and_then(|header| next_link(&header))
        .and_then(|link| link.attribute("cursor").map(str::to_owned));
    match reply.into_json()? {
        Value::Array(items) => Ok(json!({"items": items, "next": next})),
        _ => Err(unexpected()),
    }
}

pub(super) fn whole(reply: Reply) -> Result<Value, UpstreamFailure> {
    match reply.into_json()? {
        found @ Value::Object(_) => Ok(found),
        _ => Err(unexpected()),
    }
}

/// Answered 202 or 204, with nothing.
pub(super) fn deleted(reply: Reply) -> Result<Value, UpstreamFailure> {
    reply.into_json()?;
    Ok(json!({"deleted": true}))
}

fn unexpected() -> UpstreamFailure {
    let detail = "the answer has another shape";
    UpstreamFailure::with_detail(FailureKind::MalformedReply, detail)
}
