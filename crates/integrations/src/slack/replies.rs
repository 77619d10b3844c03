//! Replies of Slack. Only `"ok": true` is success.

use serde_json::{Value, json};

use crate::{
    FailureKind,
    failure::UpstreamFailure,
    http::{Reply, kind_of},
};

pub(super) fn failure(reply: &Reply) -> Option<UpstreamFailure> {
    let document = match reply.json() {
        Ok(document) => document,
        // A status without a document says enough.
        Err(unreadable) => return kind_of(reply.status).is_none().then_some(unreadable),
    };
    if document["ok"] == true && kind_of(reply.status).is_none() {
        return None;
    }
    let Some(code) = document["error"].as_str() else {
        let kind = kind_of(reply.status).unwrap_or(FailureKind::MalformedReply);
        return Some(kind.into());
    };
    let kind = match kind(code) {
        // A code that is not known, with a status that is.
        FailureKind::Invalid => kind_of(reply.status).unwrap_or(FailureKind::Invalid),
        kind => kind,
    };
    Some(UpstreamFailure::with_detail(kind, detail(code, document)))
}

fn kind(code: &str) -> FailureKind {
    match code {
        "ratelimited" | "rate_limited" | "message_limit_exceeded" => FailureKind::RateLimited,
        "invalid_auth" | "not_authed" | "account_inactive" | "token_revoked" | "token_expired" => {
            FailureKind::Unauthorized
        }
        "missing_scope"
        | "no_permission"
        | "not_in_channel"
        | "not_allowed_token_type"
        | "access_denied"
        | "accesslimited"
        | "ekm_access_denied"
        | "enterprise_is_restricted"
        | "org_login_required"
        | "cant_delete_message"
        | "cant_post_message"
        | "compliance_exports_prevent_deletion"
        | "is_archived" => FailureKind::Forbidden,
        code if code.starts_with("restricted_action") => FailureKind::Forbidden,
        "channel_not_found" | "message_not_found" | "thread_not_found" | "user_not_found" => {
            FailureKind::NotFound
        }
        // Slack says of the first two that part of it may have been done.
        "internal_error" | "fatal_error" | "service_unavailable" | "team_added_to_org" => {
            FailureKind::Upstream
        }
        "request_timeout" => FailureKind::TimedOut,
        _ => FailureKind::Invalid,
    }
}

/// The code, the scope that is missing, and what Slack says about arguments.
fn detail(code: &str, document: &Value) -> String {
    let needed = document["needed"].as_str();
    let messages = document["response_metadata"]["messages"].as_array();
    let messages = messages.into_iter().flatten().filter_map(Value::as_str);
    let mut detail = code.to_owned();
    if let Some(scope) = needed {
        detail = format!("{detail}, needs {scope}");
    }
    messages.fold(detail, |detail, message| format!("{detail}, {message}"))
}

/// The document as it is.
pub(super) fn whole(reply: Reply) -> Result<Value, UpstreamFailure> {
    reply.into_json()
}

/// The fields of each channel that are needed to write to it.
pub(super) fn channels(reply: Reply) -> Result<Value, UpstreamFailure> {
    let mut document = reply.into_json()?;
    let next = document["response_metadata"]["next_cursor"]
        .as_str()
        .filter(|cursor| !cursor.is_empty())
        .map(str::to_owned);
    let Some(Value::Array(channels)) = document.get_mut("channels").map(Value::take) else {
        let detail = "the answer lacks channels";
        return Err(UpstreamFailure::with_detail(
            FailureKind::MalformedReply,
            detail,
        ));
    };
    let channel = |channel: &Value| {
        json!({
            "id": channel["id"],
            "name": channel["name"],
            "isMember": channel["is_member"],
            "isPrivate": channel["is_private"],
            "topic": channel["topic"]["value"],
            "purpose": channel["purpose"]["value"],
            "members": channel["num_members"],
        })
    };
    let items: Vec<Value> = channels.iter().map(channel).collect();
    Ok(json!({"items": items, "next": next}))
}
