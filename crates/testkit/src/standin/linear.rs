//! Linear: one GraphQL endpoint. Mistakes are `errors` with `extensions.code`, often with HTTP 200.

use serde_json::{Value, json};

use super::{
    graphql::{read, select},
    service::{Answer, Recorded, Standin, Wire},
};

pub const TOKEN: &str = "lin_oauth_7c1f0b2e9d8a4356";
/// A personal key of the same person.
pub const PERSONAL_KEY: &str = "lin_api_5b0e6d2c1f9a8473";
pub const TEAM: &str = "9cfb482a-81e3-4154-b5b9-2c805e70a02d";

/// One team, one issue to begin with.
pub async fn start() -> Standin {
    let mut linear = Linear::default();
    linear.create(
        &json!({"teamId": TEAM, "title": "Log in fails on Safari", "description": "Steps"}),
    );
    Standin::start(linear, "/graphql", TOKEN).await
}

#[derive(Debug, Default)]
struct Linear {
    issues: Vec<Value>,
    created: usize,
}

impl Wire for Linear {
    fn answer(&mut self, request: &Recorded) -> Answer {
        let authorization = request.header("authorization");
        let bearer = format!("Bearer {TOKEN}");
        if authorization != PERSONAL_KEY && authorization != bearer {
            return self.refusal(401);
        }
        if (request.method.as_str(), request.path.as_str()) != ("POST", "/graphql") {
            return Answer::nothing(404);
        }
        let document = request.body["query"].as_str().unwrap_or_default();
        let (kind, fields) = match read(document) {
            Ok(read) => read,
            Err(problem) => return mistake(400, "GRAPHQL_PARSE_FAILED", &problem),
        };
        let [field] = &fields[..] else {
            return mistake(400, "GRAPHQL_VALIDATION_FAILED", "one field, please");
        };
        let found = match self.resolve(&field.name, &request.body["variables"]) {
            Ok(found) => found,
            Err(answer) => return answer,
        };
        match select(&found, &field.below) {
            Err(problem) => mistake(400, "GRAPHQL_VALIDATION_FAILED", &problem),
            Ok(selected) => {
                let answer = Answer::json(200, json!({"data": {field.name.clone(): selected}}));
                match kind.as_str() {
                    "mutation" => answer.changed(),
                    _ => answer,
                }
            }
        }
    }

    fn refusal(&self, status: u16) -> Answer {
        match status {
            401 => {
                let message = "Authentication required, not authenticated";
                mistake(401, "AUTHENTICATION_ERROR", message)
            }
            403 => mistake(200, "FORBIDDEN", "You do not have access to this resource."),
            404 => not_found("Issue"),
            status => mistake(status, "INTERNAL_SERVER_ERROR", "Internal server error"),
        }
    }

    /// HTTP 400, as Linear documents it.
    fn rate_limited(&self, retry_after: &str) -> Answer {
        mistake(400, "RATELIMITED", "Rate limit exceeded.")
            .with_header("retry-after", retry_after)
            .with_header("x-ratelimit-requests-remaining", "0")
    }
}

impl Linear {
    fn resolve(&mut self, field: &str, variables: &Value) -> Result<Value, Answer> {
        match field {
            "issues" => {
                let wanted = &variables["filter"]["team"]["id"]["eq"];
                let of_team = |issue: &&Value| wanted.is_null() || issue["team"]["id"] == *wanted;
                let issues = self.issues.iter().filter(of_team);
                page(&issues.cloned().collect::<Vec<_>>(), variables)
            }
            "searchIssues" => {
                let term = variables["term"].as_str().unwrap_or_default();
                let term = term.to_lowercase();
                let matches = |issue: &&Value| {
                    let title = issue["title"].as_str().unwrap_or_default();
                    title.to_lowercase().contains(&term)
                };
                let issues = self.issues.iter().filter(matches);
                page(&issues.cloned().collect::<Vec<_>>(), variables)
            }
            "teams" => page(&[team()], variables),
            "issue" => self.issue(&variables["id"]).cloned(),
            "issueCreate" => {
                if variables["input"]["teamId"] != TEAM {
                    return Err(not_found("Team"));
                }
                let issue = self.create(&variables["input"]);
                Ok(json!({"success": true, "lastSyncId": 1, "issue": issue}))
            }
            "issueUpdate" => {
                let issue = self.issue(&variables["id"])?;
                for (name, value) in variables["input"].as_object().into_iter().flatten() {
                    match name.as_str() {
                        "stateId" => issue["state"]["id"] = value.clone(),
                        "assigneeId" => issue["assignee"] = person(value),
                        _ => issue[name] = value.clone(),
                    }
                }
                Ok(json!({"success": true, "lastSyncId": 2, "issue": issue}))
            }
            "commentCreate" => {
                let body = variables["input"]["body"].clone();
                let issue = self.issue(&variables["input"]["issueId"])?;
                let comments = issue["comments"]["nodes"].as_array_mut();
                let comments = comments.expect("an issue has comments");
                let comment = json!({
                    "id": format!("comment-{}", comments.len() + 1),
                    "body": body,
                    "url": "https://linear.app/acme/issue/ENG-1#comment-1",
                    "createdAt": "2026-01-01T00:00:00.000Z",
                    "user": {"id": "user-1", "name": "An app"},
                });
                comments.push(comment.clone());
                Ok(json!({"success": true, "lastSyncId": 3, "comment": comment}))
            }
            "issueDelete" => {
                let id = self.issue(&variables["id"])?["id"].clone();
                let at = self.issues.iter().position(|issue| issue["id"] == id);
                let entity = self.issues.remove(at.expect("it was found"));
                Ok(json!({"success": true, "lastSyncId": 4, "entity": entity}))
            }
            _ => {
                let problem = format!("Cannot query field {field:?}.");
                Err(mistake(400, "GRAPHQL_VALIDATION_FAILED", &problem))
            }
        }
    }

    /// By id or by identifier.
    fn issue(&mut self, id: &Value) -> Result<&mut Value, Answer> {
        let found = self
            .issues
            .iter_mut()
            .find(|issue| issue["id"] == *id || issue["identifier"] == *id);
        found.ok_or_else(|| not_found("Issue"))
    }

    fn create(&mut self, input: &Value) -> Value {
        self.created += 1;
        let number = self.created;
        let issue = json!({
            "id": format!("issue-{number}"),
            "identifier": format!("ENG-{number}"),
            "title": input["title"],
            "description": input["description"],
            "url": format!("https://linear.app/acme/issue/ENG-{number}"),
            "priority": input["priority"].as_u64().unwrap_or(0),
            "createdAt": "2026-01-01T00:00:00.000Z",
            "updatedAt": "2026-01-01T00:00:00.000Z",
            "state": {"id": "state-1", "name": "Todo", "type": "unstarted"},
            "assignee": person(&input["assigneeId"]),
            "creator": {"id": "user-1", "name": "An app"},
            "team": team(),
            "project": null,
            "labels": {"nodes": []},
            "comments": {"nodes": [], "pageInfo": {"hasNextPage": false, "endCursor": null}},
        });
        self.issues.push(issue.clone());
        issue
    }
}

fn team() -> Value {
    let states = json!([{"id": "state-1", "name": "Todo", "type": "unstarted"}]);
    json!({"id": TEAM, "key": "ENG", "name": "Engineering", "states": {"nodes": states}})
}

fn person(id: &Value) -> Value {
    match id {
        Value::Null => Value::Null,
        id => json!({"id": id, "name": "Unknown user"}),
    }
}

/// A cursor is the id of the last one.
fn page(all: &[Value], variables: &Value) -> Result<Value, Answer> {
    let first = variables["first"]
        .as_u64()
        .and_then(|n| usize::try_from(n).ok());
    let Some(first @ 1..=250) = first else {
        let problem = "Argument Validation Error: first must be between 1 and 250";
        return Err(mistake(200, "INPUT_ERROR", problem));
    };
    let begin = match &variables["after"] {
        Value::Null => 0,
        after => match all.iter().position(|node| node["id"] == *after) {
            Some(at) => at + 1,
            None => return Err(mistake(200, "INPUT_ERROR", "Invalid cursor")),
        },
    };
    let nodes: Vec<&Value> = all.iter().skip(begin).take(first).collect();
    let end = nodes.last().map(|node| &node["id"]);
    let more = begin + nodes.len() < all.len();
    Ok(json!({"nodes": nodes, "pageInfo": {"hasNextPage": more, "endCursor": end}}))
}

fn not_found(entity: &str) -> Answer {
    let shown = format!("Could not find referenced {entity}.");
    let extensions = json!({
        "type": "invalid input", "code": "INPUT_ERROR", "statusCode": 400,
        "userError": true, "userPresentableMessage": shown,
    });
    let message = format!("Entity not found: {entity}");
    let error = json!({"message": message, "path": ["issue"], "extensions": extensions});
    Answer::json(200, json!({"errors": [error], "data": null}))
}

fn mistake(status: u16, code: &str, message: &str) -> Answer {
    let extensions = json!({
        "type": code.to_lowercase().replace('_', " "), "code": code, "statusCode": status,
        "userPresentableMessage": message,
    });
    let error = json!({"message": message, "extensions": extensions});
    Answer::json(status, json!({"errors": [error]}))
}
