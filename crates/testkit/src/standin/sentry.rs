//! Sentry: paths that end with a slash, pages by the `Link` header, mistakes as `detail`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::service::{Answer, Recorded, Standin, Wire};

pub const TOKEN: &str = "sntrys_eyJpYXQiOjE3Njcy_0a9b8c7d6e5f";
pub const ORGANIZATION: &str = "acme";
pub const PROJECT: &str = "checkout";
pub const ISSUE: &str = "4821";
pub const EVENT: &str = "c39e1fbb2f4a4d2c8f1e0a9b8c7d6e5f";

const PREFIX: &str = "/api/0";
/// What it gives when a page's size is not said.
const PAGE: usize = 100;

/// One project with three issues, one of which has events.
pub async fn start() -> Standin {
    let issue = |id: &str| {
        let issue = json!({
            "id": id, "shortId": format!("CHECKOUT-{id}"), "title": "TypeError: x is undefined",
            "status": "unresolved", "level": "error", "assignedTo": null, "count": "3",
            "project": {"id": "1", "slug": PROJECT}, "permalink": "https://acme.sentry.io/issues/1/",
        });
        (id.to_owned(), issue)
    };
    let issues = [ISSUE, "4822", "4823"].map(issue).into();
    Standin::start(Sentry { issues }, PREFIX, TOKEN).await
}

#[derive(Debug)]
struct Sentry {
    issues: BTreeMap<String, Value>,
}

impl Wire for Sentry {
    fn answer(&mut self, request: &Recorded) -> Answer {
        if request.header("authorization") != format!("Bearer {TOKEN}") {
            return self.refusal(401);
        }
        if !request.path.ends_with('/') {
            // Django's way, which loses the body of a PUT.
            let location = format!("{}/", request.path);
            return Answer::nothing(301).with_header("location", location);
        }
        let segments = request.segments(PREFIX);
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        match (request.method.as_str(), &segments[..]) {
            ("GET", ["organizations", ORGANIZATION, "projects"]) => {
                let project =
                    json!({"id": "1", "slug": PROJECT, "name": "Checkout", "platform": "rust"});
                page(&[project], request, "per_page")
            }
            ("GET", ["projects", ORGANIZATION, PROJECT, "issues"]) => {
                let query = request.query.get("query");
                let wanted = query.and_then(|query| query.strip_prefix("is:"));
                let has = |issue: &&Value| wanted.is_none_or(|wanted| issue["status"] == wanted);
                let issues: Vec<Value> = self.issues.values().filter(has).cloned().collect();
                page(&issues, request, "limit")
            }
            ("GET", ["issues", id, "events"]) if self.issues.contains_key(*id) => {
                page(&[event(id)], request, "per_page")
            }
            ("GET", ["issues", id, "events", EVENT | "latest"])
                if self.issues.contains_key(*id) =>
            {
                Answer::json(200, event(id))
            }
            ("GET", ["issues", id]) => self.found(id),
            ("PUT", ["issues", id]) => self.change(id, &request.body),
            ("DELETE", ["issues", id]) => match self.issues.remove(*id) {
                Some(_) => Answer::nothing(202).changed(),
                None => self.refusal(404),
            },
            _ => self.refusal(404),
        }
    }

    fn refusal(&self, status: u16) -> Answer {
        let detail = match status {
            401 => "Invalid token",
            403 => "You do not have permission to perform this action.",
            404 => "The requested resource does not exist",
            _ => "Internal Error",
        };
        Answer::json(status, json!({"detail": detail}))
    }

    fn rate_limited(&self, retry_after: &str) -> Answer {
        let detail = "You are attempting to use this endpoint too frequently. \
            Limit is 40 requests in 1 seconds";
        Answer::json(429, json!({"detail": detail}))
            .with_header("retry-after", retry_after)
            .with_header("x-sentry-rate-limit-remaining", "0")
    }
}

impl Sentry {
    fn found(&self, id: &str) -> Answer {
        match self.issues.get(id) {
            Some(issue) => Answer::json(200, issue.clone()),
            None => self.refusal(404),
        }
    }

    fn change(&mut self, id: &str, change: &Value) -> Answer {
        let known = ["resolved", "resolvedInNextRelease", "unresolved", "ignored"];
        if let Some(status) = change["status"].as_str().filter(|s| !known.contains(s)) {
            let problem = format!("\"{status}\" is not a valid choice.");
            return Answer::json(400, json!({"status": [problem]}));
        }
        let Some(issue) = self.issues.get_mut(id) else {
            return self.refusal(404);
        };
        for (name, value) in change.as_object().into_iter().flatten() {
            issue[name] = match (name.as_str(), value.as_str()) {
                ("assignedTo", Some("")) => Value::Null,
                ("assignedTo", Some(actor)) => json!({"type": "user", "id": actor}),
                _ => value.clone(),
            };
        }
        Answer::json(200, issue.clone()).changed()
    }
}

fn event(issue: &str) -> Value {
    json!({
        "id": EVENT, "eventID": EVENT, "groupID": issue, "title": "TypeError: x is undefined",
        "dateCreated": "2026-01-01T00:00:00Z", "entries": [{"type": "exception", "data": {}}],
    })
}

/// A cursor is `0:OFFSET:0`; both neighbours are named even when there is nothing on them.
fn page(all: &[Value], request: &Recorded, size: &str) -> Answer {
    let size = request.number(size, PAGE);
    let cursor = request.query.get("cursor").map_or("0:0:0", String::as_str);
    let Some(begin) = cursor
        .split(':')
        .nth(1)
        .and_then(|text| text.parse::<usize>().ok())
    else {
        return Answer::json(400, json!({"detail": "Invalid cursor parameter."}));
    };
    let end = (begin + size).min(all.len());
    let link = |rel: &str, results: bool, cursor: String| {
        let url = format!("https://sentry.io{}?&cursor={cursor}", request.path);
        format!("<{url}>; rel=\"{rel}\"; results=\"{results}\"; cursor=\"{cursor}\"")
    };
    let before = link(
        "previous",
        begin > 0,
        format!("0:{}:1", begin.saturating_sub(size)),
    );
    let after = link("next", end < all.len(), format!("0:{end}:0"));
    let items = all.get(begin..end).unwrap_or_default().to_vec();
    Answer::json(200, items).with_header("link", format!("{before}, {after}"))
}
