//! Replies of GitHub. An agent gets the useful fields of its long documents: a pull request has 25 KB, most of it URLs.

use std::time::Duration;

use domain::clock::Timestamp;
use reqwest::Url;
use serde_json::{Value, json};

use crate::{
    FailureKind,
    failure::UpstreamFailure,
    http::{Reply, kind_of, next_link, reset_seconds},
};

pub(super) fn failure(reply: &Reply, now: Timestamp) -> Option<UpstreamFailure> {
    let status = kind_of(reply.status)?;
    let document = reply.json().unwrap_or(&Value::Null);
    let message = document["message"].as_str().unwrap_or_default();
    let kind = if matches!(reply.status, 403 | 429) && is_limit(reply, message) {
        FailureKind::RateLimited
    } else {
        status
    };
    Some(UpstreamFailure {
        after: (kind == FailureKind::RateLimited)
            .then(|| reset(reply, now))
            .flatten(),
        ..UpstreamFailure::with_detail(kind, detail(message, document))
    })
}

/// 403 means a missing permission or a rate limit; these are the signs of a rate limit.
fn is_limit(reply: &Reply, message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    is_used_up(reply)
        || reply.header("retry-after").is_some()
        || message.contains("rate limit")
        || message.contains("abuse detection")
}

fn is_used_up(reply: &Reply) -> bool {
    let remaining = reply.header("x-ratelimit-remaining");
    remaining.is_some_and(|text| text.trim() == "0")
}

/// The window's end counts only when the window is exhausted: a secondary limit has another.
fn reset(reply: &Reply, now: Timestamp) -> Option<Duration> {
    is_used_up(reply)
        .then(|| reset_seconds(reply, "x-ratelimit-reset", now))
        .flatten()
}

/// The message, and which fields are wrong.
fn detail(message: &str, document: &Value) -> String {
    let errors = document["errors"].as_array().into_iter().flatten();
    let problems = errors.filter_map(|error| {
        let (field, code) = (error["field"].as_str(), error["code"].as_str());
        let text = error["message"].as_str().or(error.as_str());
        match (text, field, code) {
            (Some(text), ..) => Some(text.to_owned()),
            (None, Some(field), Some(code)) => Some(format!("{field} is {code}")),
            _ => None,
        }
    });
    problems.fold(message.to_owned(), |all, problem| {
        format!("{all}, {problem}")
    })
}

/// A page of a list, each entry in short.
pub(super) fn page(reply: Reply, shorten: fn(&Value) -> Value) -> Result<Value, UpstreamFailure> {
    let next = next_page(&reply);
    match reply.into_json()? {
        Value::Array(items) => {
            let items: Vec<Value> = items.iter().map(shorten).collect();
            Ok(json!({"items": items, "next": next}))
        }
        _ => Err(unexpected()),
    }
}

pub(super) fn checks(reply: Reply) -> Result<Value, UpstreamFailure> {
    let next = next_page(&reply);
    let document = reply.into_json()?;
    let Value::Array(runs) = &document["check_runs"] else {
        return Err(unexpected());
    };
    let items: Vec<Value> = runs.iter().map(check).collect();
    Ok(json!({"items": items, "next": next}))
}

/// One thing in short, with its text.
pub(super) fn one(reply: Reply, shorten: fn(&Value) -> Value) -> Result<Value, UpstreamFailure> {
    match reply.into_json()? {
        found @ Value::Object(_) => Ok(shorten(&found)),
        _ => Err(unexpected()),
    }
}

/// Answered 204, with nothing.
pub(super) fn deleted(reply: Reply) -> Result<Value, UpstreamFailure> {
    reply.into_json()?;
    Ok(json!({"deleted": true}))
}

pub(super) fn issue(issue: &Value) -> Value {
    let labels = issue["labels"].as_array().into_iter().flatten();
    let labels: Vec<&Value> = labels.map(|label| &label["name"]).collect();
    json!({
        "number": issue["number"],
        "title": issue["title"],
        "state": issue["state"],
        "body": issue["body"],
        "url": issue["html_url"],
        "author": issue["user"]["login"],
        "assignees": logins(&issue["assignees"]),
        "labels": labels,
        "comments": issue["comments"],
        "isPullRequest": issue["pull_request"].is_object(),
        "createdAt": issue["created_at"],
        "updatedAt": issue["updated_at"],
    })
}

pub(super) fn pull_request(pull: &Value) -> Value {
    json!({
        "number": pull["number"],
        "title": pull["title"],
        "state": pull["state"],
        "body": pull["body"],
        "url": pull["html_url"],
        "author": pull["user"]["login"],
        "draft": pull["draft"],
        "merged": pull["merged"],
        "mergeable": pull["mergeable"],
        "mergeableState": pull["mergeable_state"],
        "head": branch(&pull["head"]),
        "base": branch(&pull["base"]),
        "createdAt": pull["created_at"],
        "updatedAt": pull["updated_at"],
    })
}

pub(super) fn comment(comment: &Value) -> Value {
    json!({
        "id": comment["id"],
        "body": comment["body"],
        "url": comment["html_url"],
        "author": comment["user"]["login"],
        "createdAt": comment["created_at"],
    })
}

fn check(run: &Value) -> Value {
    json!({
        "id": run["id"],
        "name": run["name"],
        "status": run["status"],
        "conclusion": run["conclusion"],
        "url": run["html_url"],
        "title": run["output"]["title"],
        "summary": run["output"]["summary"],
        "startedAt": run["started_at"],
        "completedAt": run["completed_at"],
    })
}

fn branch(branch: &Value) -> Value {
    json!({"ref": branch["ref"], "sha": branch["sha"], "repo": branch["repo"]["full_name"]})
}

fn logins(people: &Value) -> Vec<&Value> {
    let people = people.as_array().into_iter().flatten();
    people.map(|person| &person["login"]).collect()
}

/// The number of the next page: what `page` takes.
fn next_page(reply: &Reply) -> Option<u32> {
    let link = next_link(&reply.header("link")?)?;
    let target = Url::parse(&link.target).ok()?;
    let page = target.query_pairs().find(|(name, _)| name == "page")?.1;
    page.parse().ok()
}

fn unexpected() -> UpstreamFailure {
    let detail = "the answer has another shape";
    UpstreamFailure::with_detail(FailureKind::MalformedReply, detail)
}
