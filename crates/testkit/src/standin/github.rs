//! GitHub: one repository. Mistakes have a `message`; what one may not see is not there.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::service::{Answer, Recorded, Standin, Wire};

pub const TOKEN: &str = "ghs_16C7e42F292c6912E7710c838347Ae178B4a";
pub const OWNER: &str = "octo-org";
pub const REPO: &str = "hello.world";
/// A branch with checks and without a pull request.
pub const BRANCH: &str = "feature/log-in";

/// Two issues, one pull request, two branches.
pub async fn start() -> Standin {
    let mut github = GitHub {
        issues: Vec::new(),
        pulls: Vec::new(),
        branches: ["main", BRANCH].map(str::to_owned).into(),
    };
    for title in ["Crash at start", "Typo in the guide"] {
        github.create_issue(&json!({"title": title, "body": "Steps"}));
    }
    github.create_pull(&json!({"title": "Fix it", "head": "main", "base": "main"}));
    Standin::start(github, "", TOKEN).await
}

#[derive(Debug)]
struct GitHub {
    issues: Vec<Value>,
    pulls: Vec<Value>,
    branches: BTreeSet<String>,
}

impl Wire for GitHub {
    fn answer(&mut self, request: &Recorded) -> Answer {
        // GitHub refuses requests without a user agent.
        if request.header("user-agent").is_empty() {
            return Answer::json(
                403,
                json!({"message": "Request forbidden by administrative rules."}),
            );
        }
        if request.header("authorization") != format!("Bearer {TOKEN}") {
            return self.refusal(401);
        }
        let segments = request.segments("/");
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let ["repos", OWNER, REPO, below @ ..] = &segments[..] else {
            return self.refusal(404);
        };
        let answer = match (request.method.as_str(), below) {
            ("GET", ["issues"]) => page(&with_state(&self.issues, request), request),
            ("GET", ["pulls"]) => page(&with_state(&self.pulls, request), request),
            ("GET", ["issues", number]) => {
                found(&mut self.issues, number).map_or_else(missing, shown)
            }
            ("GET", ["pulls", number]) => {
                found(&mut self.pulls, number).map_or_else(missing, shown)
            }
            ("POST", ["issues"]) if request.body["title"] == "" => invalid("Issue", "title"),
            ("POST", ["issues"]) => Answer::json(201, self.create_issue(&request.body)).changed(),
            ("PATCH", ["issues", number]) => match found(&mut self.issues, number) {
                Some(issue) => changed(issue, &request.body),
                None => missing(),
            },
            ("POST", ["issues", number, "comments"]) => self.comment(number, &request.body),
            ("POST", ["pulls"]) => self.pull(&request.body),
            ("GET", ["commits", name, "check-runs"]) if self.branches.contains(*name) => {
                Answer::json(200, json!({"total_count": 1, "check_runs": [check_run()]}))
            }
            ("DELETE", ["git", "refs", "heads", branch @ ..]) => {
                if self.branches.remove(&branch.join("/")) {
                    Answer::nothing(204).changed()
                } else {
                    Answer::json(422, json!({"message": "Reference does not exist"}))
                }
            }
            _ => missing(),
        };
        answer
            .with_header("x-ratelimit-remaining", "4999")
            .with_header("x-ratelimit-reset", "1767229200")
    }

    fn refusal(&self, status: u16) -> Answer {
        let message = match status {
            401 => "Bad credentials",
            403 => "Resource not accessible by integration",
            404 => "Not Found",
            _ => "Server Error",
        };
        let documentation = "https://docs.github.com/rest";
        let body = json!({"message": message, "documentation_url": documentation, "status": status.to_string()});
        Answer::json(status, body).with_header("x-ratelimit-remaining", "4998")
    }

    fn rate_limited(&self, retry_after: &str) -> Answer {
        let message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
        Answer::json(403, json!({"message": message}))
            .with_header("retry-after", retry_after)
            .with_header("x-ratelimit-remaining", "4998")
    }
}

impl GitHub {
    /// Issues and pull requests are counted together.
    fn next_number(&self) -> usize {
        self.issues.len() + self.pulls.len() + 1
    }

    fn create_issue(&mut self, body: &Value) -> Value {
        let number = self.next_number();
        let names = body["labels"].as_array().into_iter().flatten();
        let labels: Vec<Value> = names.map(|name| json!({"id": 1, "name": name})).collect();
        let logins = body["assignees"].as_array().into_iter().flatten();
        let assignees: Vec<Value> = logins.map(|login| json!({"login": login})).collect();
        let issue = json!({
            "id": 1000 + number, "number": number, "title": body["title"], "body": body["body"],
            "state": "open", "labels": labels, "assignees": assignees, "comments": 0,
            "html_url": format!("https://github.com/{OWNER}/{REPO}/issues/{number}"),
            "user": {"login": "an-app[bot]", "id": 1},
            "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
        });
        self.issues.push(issue.clone());
        issue
    }

    fn comment(&mut self, number: &str, body: &Value) -> Answer {
        let Some(issue) = found(&mut self.issues, number) else {
            return missing();
        };
        let count = issue["comments"].as_u64().unwrap_or_default() + 1;
        issue["comments"] = count.into();
        let url = issue["html_url"].as_str().unwrap_or_default();
        let comment = json!({
            "id": count, "body": body["body"], "html_url": format!("{url}#issuecomment-{count}"),
            "user": {"login": "an-app[bot]"}, "created_at": "2026-01-01T00:00:00Z",
        });
        Answer::json(201, comment).changed()
    }

    fn pull(&mut self, body: &Value) -> Answer {
        for field in ["head", "base"] {
            let name = body[field].as_str().unwrap_or_default();
            if !self.branches.contains(name) {
                return invalid("PullRequest", field);
            }
        }
        Answer::json(201, self.create_pull(body)).changed()
    }

    fn create_pull(&mut self, body: &Value) -> Value {
        let number = self.next_number();
        let branch = |name: &Value| {
            let repo = json!({"full_name": format!("{OWNER}/{REPO}"), "private": true});
            json!({"ref": name, "sha": "6dcb09b5b57875f334f61aebed695e2e4193db5e", "repo": repo})
        };
        let pull = json!({
            "id": 2000 + number, "number": number, "title": body["title"], "body": body["body"],
            "state": "open", "draft": body["draft"] == true, "merged": false, "mergeable": true,
            "mergeable_state": "clean", "head": branch(&body["head"]), "base": branch(&body["base"]),
            "html_url": format!("https://github.com/{OWNER}/{REPO}/pull/{number}"),
            "user": {"login": "an-app[bot]"},
            "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
        });
        self.pulls.push(pull.clone());
        pull
    }
}

fn check_run() -> Value {
    json!({
        "id": 4, "name": "build", "status": "completed", "conclusion": "failure",
        "html_url": "https://github.com/octo-org/hello.world/runs/4",
        "output": {"title": "2 tests failed", "summary": "See the log.", "text": null},
        "started_at": "2026-01-01T00:00:00Z", "completed_at": "2026-01-01T00:01:00Z",
    })
}

fn found<'a>(all: &'a mut [Value], number: &str) -> Option<&'a mut Value> {
    all.iter_mut()
        .find(|one| one["number"].as_u64() == number.parse().ok())
}

fn shown(one: &mut Value) -> Answer {
    Answer::json(200, one.clone())
}

fn changed(issue: &mut Value, change: &Value) -> Answer {
    for name in ["title", "body", "state"] {
        if !change[name].is_null() {
            issue[name] = change[name].clone();
        }
    }
    Answer::json(200, issue.clone()).changed()
}

fn missing() -> Answer {
    Answer::json(404, json!({"message": "Not Found", "status": "404"}))
}

fn invalid(resource: &str, field: &str) -> Answer {
    let error = json!({"resource": resource, "field": field, "code": "invalid"});
    Answer::json(
        422,
        json!({"message": "Validation Failed", "errors": [error]}),
    )
}

fn with_state(all: &[Value], request: &Recorded) -> Vec<Value> {
    let state = request.query.get("state").map_or("open", String::as_str);
    let wanted = |one: &&Value| state == "all" || one["state"] == state;
    all.iter().filter(wanted).cloned().collect()
}

fn page(all: &[Value], request: &Recorded) -> Answer {
    let (size, number) = (request.number("per_page", 30), request.number("page", 1));
    let begin = (number - 1) * size;
    let end = (begin + size).min(all.len());
    let answer = Answer::json(200, all.get(begin..end).unwrap_or_default().to_vec());
    if end >= all.len() {
        return answer;
    }
    let url = |page: usize| {
        format!(
            "https://api.github.com{}?per_page={size}&page={page}",
            request.path
        )
    };
    let (next, last) = (url(number + 1), url(all.len().div_ceil(size)));
    answer.with_header(
        "link",
        format!("<{next}>; rel=\"next\", <{last}>; rel=\"last\""),
    )
}
