//! Authorization: every operation by every kind of caller, from the table in `authorization.table`;
//! a foreign id cannot be distinguished from one that does not exist.

use std::{collections::BTreeSet, time::Duration};

use axum::http::Method;
use domain::id::SessionId;
use gateway::Dashboard;
use integrations::oauth::OAuthSettings;
use serde_json::{Value, json};
use testkit::{
    app::{Client, Person, TestApp, TestResponse},
    database::Backend,
};

use crate::{
    dashboard,
    support::{UNKNOWN_ID, create, id, ids},
};

testkit::on_both_databases!(every_route_answers_every_caller_as_the_table_says);

/// A valid target of a webhook without a listener.
const UNREACHABLE: &str = "127.0.0.1:1";

const TABLE: &str = include_str!("authorization.table");

#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) method: Method,
    pub(crate) path: String,
    /// As in the heading.
    expected: Vec<String>,
    pub(crate) body: Option<String>,
}

impl Row {
    /// Of a route that has no row, because the document leaves it out.
    pub(crate) fn of(method: Method, path: &str) -> Self {
        Self {
            method,
            path: path.to_owned(),
            expected: Vec::new(),
            body: None,
        }
    }
}

/// The kinds of callers, in the order of the columns, and the rows.
pub(crate) fn table() -> (Vec<&'static str>, Vec<Row>) {
    let mut lines = TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (heading, _) = lines.next().unwrap().split_once('|').unwrap();
    let callers: Vec<_> = heading.split_whitespace().skip(2).collect();
    let row = |line: &str| {
        let (cells, body) = match line.split_once(" | ") {
            Some((cells, body)) => (cells, Some(body.to_owned())),
            None => (line, None),
        };
        let mut cells = cells.split_whitespace().map(str::to_owned);
        let row = Row {
            method: cells.next().unwrap().parse().unwrap(),
            path: cells.next().unwrap(),
            expected: cells.collect(),
            body,
        };
        assert_eq!(row.expected.len(), callers.len(), "{line}");
        row
    };
    let rows = lines.map(row).collect();
    (callers, rows)
}

#[test]
fn every_operation_has_a_row_and_every_row_an_operation() {
    let document = serde_json::to_value(gateway::openapi::document()).unwrap();
    let mut documented = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            documented.insert(format!("{} {path}", method.to_uppercase()));
        }
    }
    let (_, rows) = table();
    let listed: BTreeSet<_> = rows
        .iter()
        .map(|row| format!("{} {}", row.method, row.path))
        .collect();
    assert_eq!(listed.len(), rows.len(), "an operation has two rows");
    let missing: Vec<_> = documented.difference(&listed).collect();
    let surplus: Vec<_> = listed.difference(&documented).collect();
    assert!(
        missing.is_empty() && surplus.is_empty(),
        "authorization.table lacks {missing:?} and has {surplus:?} that no route has"
    );
}

/// An application with an entity for every path of the table.
pub(crate) async fn started(backend: Backend) -> TestApp {
    let app = TestApp::builder(backend).client("linear", linear_client());
    let app = app.options(|options| options.dashboard = Dashboard::new(dashboard::file));
    app.reach(UNREACHABLE).start().await
}

/// An OAuth client of Linear's, to which no test redirects.
pub(crate) fn linear_client() -> OAuthSettings {
    OAuthSettings {
        client_id: "client".to_owned(),
        client_secret: "hush".into(),
        authorize_url: "https://linear.example/authorize".to_owned(),
        token_url: "https://linear.example/token".to_owned(),
        scopes: vec!["read".to_owned()],
        pkce: true,
    }
}

async fn every_route_answers_every_caller_as_the_table_says(backend: Backend) {
    let app = started(backend).await;
    let callers = Callers::new(&app).await;
    let document = serde_json::to_value(gateway::openapi::document()).unwrap();
    let (kinds, rows) = table();
    let mut count = 0;
    for row in &rows {
        for (kind, expected) in kinds.iter().zip(&row.expected) {
            count += 1;
            let named = resource(&app, &row.path, count).await;
            let client = callers.client(kind, &named).await;
            let answer = call(&client, row, &named, count).await;
            let place = format!("{} {} as {kind}", row.method, row.path);
            check(&answer, expected, &place);
            let method = row.method.as_str().to_lowercase();
            let responses = &document["paths"][&row.path][method]["responses"];
            let documented = responses.get(answer.status.to_string()).is_some();
            assert!(documented, "{place}: {} is not documented", answer.status);
            if *kind == "foreign" {
                assert!(!answer.text().contains("org_acme"), "{place}: it leaks");
            }
            if *kind == "foreign" && row.path.contains("{id}") {
                let unknown = call(&client, row, UNKNOWN_ID, count).await;
                assert_eq!(anonymous(&answer), anonymous(&unknown), "{place}");
            }
        }
    }
}

pub(crate) async fn call(client: &Client, row: &Row, id: &str, count: usize) -> TestResponse {
    // What is within something is named after it.
    let (id, inner) = id.split_once(' ').unwrap_or((id, id));
    let path = row
        .path
        .replace("{id}", id)
        .replace("{invocation}", inner)
        .replace("{integration}", "linear")
        .replace("{tool}", "save_snapshot")
        .replace(
            "{repo}/info/refs",
            "{repo}/info/refs?service=git-upload-pack",
        )
        .replace("{repo}", UNKNOWN_ID)
        .replace("{port}", "3000")
        .replace("{ticket}", "v1.1.00.00")
        .replace("{deliveryId}", UNKNOWN_ID)
        .replace("{link}", inner)
        .replace("{code}", "NOT_FOUND")
        .replace("{n}", "0")
        .replace("{*path}", "ws")
        .replace("{member}", "user:user_acme_owner");
    let call = client.call(row.method.clone(), &path);
    let call = if path == "/v1/events" {
        call.endless()
    } else {
        call
    };
    match &row.body {
        None => call.await,
        Some(body) => {
            let body = body.replace("{n}", &count.to_string());
            call.body("application/json", body).await
        }
    }
}

fn check(answer: &TestResponse, expected: &str, place: &str) {
    let (status, code) = match expected {
        "401" => (401, Some("UNAUTHENTICATED")),
        "exp" => (401, Some("TOKEN_EXPIRED")),
        "key" => {
            let kind = &answer.json()["error"]["type"];
            assert_eq!(kind, "authentication_error", "{place}: {}", answer.text());
            (401, None)
        }
        text if text.starts_with('t') => {
            let content_type = answer.header("content-type");
            assert_eq!(content_type, Some("text/plain; charset=utf-8"), "{place}");
            (text[1..].parse().unwrap(), None)
        }
        "403" => (403, Some("FORBIDDEN")),
        "404" => (404, Some("NOT_FOUND")),
        "none" => (404, None),
        success => (success.parse().unwrap(), None),
    };
    assert_eq!(answer.status, status, "{place}: {}", answer.text());
    if let Some(code) = code {
        answer.expect_problem(status, code);
    }
    let challenge = answer.header("www-authenticate");
    assert_eq!(challenge.is_some(), status == 401, "{place}");
}

/// The answer without what differs between any two requests.
pub(crate) fn anonymous(answer: &TestResponse) -> Value {
    // A public page contains no caller's data, a redirect to one no text.
    let is_text = answer.header("content-type") == Some("text/plain; charset=utf-8");
    if [200, 307].contains(&answer.status) || is_text {
        return answer.text().into();
    }
    let mut problem = answer.json();
    problem.as_object_mut().unwrap().remove("request_id");
    problem
}

/// A fresh thing of acme's for the path to name, because some operations end it.
pub(crate) async fn resource(app: &TestApp, path: &str, count: usize) -> String {
    let noun = path.split('/').nth(2).unwrap_or_default();
    let (collection, body) = match noun {
        _ if !path.contains("{id}") => return UNKNOWN_ID.to_owned(),
        "{id}" => return waiting(app).await.join(" "),
        "actions" => {
            let [_, invocation] = waiting(app).await;
            return invocation;
        }
        // Instances belong to no organization, and a gateway that is alone knows no others.
        "fleet" => return UNKNOWN_ID.to_owned(),
        "grants" => (
            "/v1/grants",
            json!({ "scope": "org", "integration": "linear", "action": "*" }),
        ),
        "grant-requests" => return wish(app).await,
        "sessions" => ("/proliferate/sessions", json!({})),
        "configurations" => ("/v1/configurations", json!({ "name": "web" })),
        "repos" => {
            let name = format!("repo-{count}");
            ("/v1/repos", json!({ "name": name, "source": "local" }))
        }
        "secrets" => {
            let key = format!("KEY_{count}");
            ("/v1/secrets", json!({ "key": key, "value": "x" }))
        }
        "integrations" => (
            "/v1/integrations",
            json!({ "integrationId": "linear", "token": "t" }),
        ),
        "connectors" => return connector(app).await,
        "api-keys" => {
            let (key, _) = app.api_key(Person::Owner, None).await;
            return key.id.to_string();
        }
        "webhooks" => return webhook(app).await,
        "automations" => (
            "/v1/automations",
            json!({ "name": "a", "agentInstructions": "x" }),
        ),
        "automation-runs" => return automation_run(app).await,
        "override-tickets" => return ticket(app).await,
        "organizations" => return organization(app, count).await,
        "members" => return member(app, count).await,
        "invitations" => {
            let body = json!({ "role": "member" });
            let made = app.owner().post("/v1/invitations", body).await.expect(201);
            return id(&made["invitation"]);
        }
        "cases" => ("/v1/cases", json!({})),
        "artifacts" => return artifact(app).await,
        "recordings" => return recording(app).await,
        "runs" => ("/v1/runs", json!({ "run_kind": "agent" })),
        other => panic!("no resource of {other} is known here"),
    };
    let made = app.owner().post(collection, body).await.expect(201);
    let id = ["sessionId", "id", "run_id"]
        .iter()
        .find_map(|name| made.get(name)?.as_str())
        .unwrap();
    id.to_owned()
}

/// A session of acme's with an action that waits for a person, and the action.
async fn waiting(app: &TestApp) -> [String; 2] {
    let owner = app.owner();
    let linear = json!({ "integrationId": "linear", "token": "t" });
    let linear = id(&owner.post("/v1/integrations", linear).await.expect(201));
    let session = id(&create(app, json!({ "integrationIds": [linear] })).await);
    let agent = app.sandbox(session.parse().unwrap()).await;
    let ask = json!({ "integration": "linear", "action": "create_issue",
        "params": { "teamId": "t", "title": "x" } });
    let path = format!("/proliferate/{session}/actions/invoke");
    let asked = agent.post(&path, ask).await.expect(202);
    let invocation = asked["invocation"]["id"].as_str().unwrap();
    [session, invocation.to_owned()]
}

/// Another member of acme, whom some operations remove.
async fn member(app: &TestApp, count: usize) -> String {
    let user = domain::organization::User {
        id: format!("user_acme_{count}").parse().unwrap(),
        name: format!("Member {count}"),
        email: format!("member{count}@acme.example"),
        created_at: app.app.now(),
    };
    let mut tx = app.database.db.write().await.unwrap();
    store::user_insert(&mut tx, &user).await.unwrap();
    let role = domain::role::Role::Member;
    let member = store::member_upsert(&mut tx, &app.acme, &user.id, role, user.created_at);
    member.await.unwrap();
    tx.commit().await.unwrap();
    user.id.to_string()
}

/// Another organization, which is suspended.
async fn organization(app: &TestApp, count: usize) -> String {
    let body = json!({ "organizationName": format!("Tenant {count}"), "ownerName": "Ada",
        "ownerEmail": format!("ada@tenant-{count}.example") });
    let made = app
        .owner()
        .post("/v1/organizations", body)
        .await
        .expect(201);
    let id = made["organization"]["id"].as_str().unwrap();
    let path = format!("/v1/organizations/{id}/suspend");
    let body = json!({ "reason": "before the test" });
    app.owner().post(&path, body).await.expect(200);
    id.to_owned()
}

/// A wish for a grant of an agent of acme's.
async fn wish(app: &TestApp) -> String {
    let session = id(&create(app, json!({})).await);
    let agent = app.sandbox(session.parse().unwrap()).await;
    let path = format!("/proliferate/{session}/actions/grants");
    let wish = json!({ "integration": "linear", "action": "create_issue" });
    let wished = agent.post(&path, wish).await.expect(202);
    wished["grantRequest"]["id"].as_str().unwrap().to_owned()
}

/// A connector in the place of whichever there were: an organization has few.
async fn connector(app: &TestApp) -> String {
    let owner = app.owner();
    let page = owner.get("/v1/connectors").await.expect(200);
    for id in ids(&page) {
        let path = format!("/v1/connectors/{id}");
        owner.delete(&path).await.expect(204);
    }
    // Disabled, so that no request reaches the server.
    let body = json!({"name": "Docs", "url": "https://mcp.example/mcp", "enabled": false});
    id(&owner.post("/v1/connectors", body).await.expect(201))
}

/// A webhook; one at a time, as there is a bound on them.
async fn webhook(app: &TestApp) -> String {
    let owner = app.owner();
    for webhook in ids(&owner.get("/v1/webhooks").await.expect(200)) {
        let path = format!("/v1/webhooks/{webhook}");
        owner.delete(&path).await.expect(204);
    }
    let body = json!({ "url": format!("http://{UNREACHABLE}/") });
    let made = owner.post("/v1/webhooks", body).await.expect(201);
    id(&made["webhook"])
}

/// A ticket that the owner opened, under a lock of its own: there is a bound on the tickets of one.
pub(crate) async fn ticket(app: &TestApp) -> String {
    let owner = app.owner();
    let turn = |way: &str| {
        let path = format!("/v1/safety-lock/{way}");
        let owner = owner.clone();
        async move { owner.post(&path, json!({ "reason": "a drill" })).await }
    };
    let released = turn("release").await;
    assert!([200, 409].contains(&released.status));
    turn("engage").await.expect(200);
    let body = json!({ "laneId": "TOOL_DOCUMENT_INTAKE", "reason": "a drill", "minutes": 30 });
    id(&owner.post("/v1/override-tickets", body).await.expect(201))
}

/// A run of a new automation of the owner's.
async fn automation_run(app: &TestApp) -> String {
    let body = json!({ "name": "a", "agentInstructions": "x" });
    let made = app.owner().post("/v1/automations", body).await.expect(201);
    let path = format!("/v1/automations/{}/runs", id(&made));
    let run = app.owner().call(Method::POST, &path).await.expect(201);
    run["id"].as_str().unwrap().to_owned()
}

/// An artifact of a new case that the owner opened.
async fn artifact(app: &TestApp) -> String {
    let case = app.owner().post("/v1/cases", json!({})).await.expect(201);
    let case_id = case["id"].as_str().unwrap();
    let path = format!("/v1/artifacts?caseId={case_id}&kind=document");
    let call = app
        .owner()
        .call(Method::POST, &path)
        .body("text/plain", "bytes");
    let made = call.await.expect(201);
    let id = &made["artifact"]["artifact_id"];
    id.as_str().unwrap().to_owned()
}

/// A recording of a new case that the owner opened.
async fn recording(app: &TestApp) -> String {
    let owner = app.owner();
    let case = owner.post("/v1/cases", json!({})).await.expect(201);
    let case_id = case["id"].as_str().unwrap();
    let meetings = format!("/v1/cases/{case_id}/client-sessions");
    let meeting = owner.post(&meetings, json!({})).await.expect(201);
    let run = json!({ "run_kind": "agent", "case_id": case_id });
    let run = owner.post("/v1/runs", run).await.expect(201);
    let call = json!({
        "tool_name": "dictation",
        "operation": "dictation.start",
        "lane_id": "TOOL_INTERVIEW_CAPTURE",
        "case_id": case_id,
        "parent_run_id": run["run_id"],
        "scope": { "client_session_id": meeting["id"] },
    });
    let made = owner.post("/v1/tool-calls", call).await.expect(200);
    made["run_id"].as_str().unwrap().to_owned()
}

struct Callers<'a> {
    app: &'a TestApp,
    expired: String,
    revoked: String,
    session: SessionId,
}

impl<'a> Callers<'a> {
    async fn new(app: &'a TestApp) -> Self {
        let (key, revoked) = app.api_key(Person::Owner, None).await;
        let path = format!("/v1/api-keys/{}", key.id);
        app.owner().delete(&path).await.expect(200);
        let session = app.fixture.session(&app.acme);
        app.insert_session(&session).await;
        let (user_id, organization_id) = (Person::Owner.user_id(), Some(app.acme.clone()));
        let expired = app.user_token_of(&user_id, organization_id, Duration::from_secs(1));
        app.clock.advance(Duration::from_mins(1));
        Self {
            app,
            expired,
            revoked,
            session: session.id,
        }
    }

    /// `id` is what the path names: the session itself where it names one.
    async fn client(&self, kind: &str, id: &str) -> Client {
        let app = self.app;
        match kind {
            "anonymous" => app.anonymous(),
            "garbage" => app.with_token("garbage"),
            "expired" => app.with_token(&self.expired),
            "revoked" => app.with_token(&self.revoked),
            "sandbox" => {
                let own = id.split(' ').next().and_then(|id| id.parse().ok());
                let own = match own {
                    Some(id) if self.exists(id).await => id,
                    _ => self.session,
                };
                app.with_token(app.sandbox_token(own).await)
            }
            "stranger" => app.with_token(app.sandbox_token(self.session).await),
            "service" => app.with_token(app.service_token(&app.acme)),
            "member" => app.member(),
            "admin" => app.person(Person::Admin),
            "owner" => app.owner(),
            "foreign" => app.foreigner(),
            other => panic!("{other} is no kind of caller"),
        }
    }

    async fn exists(&self, id: SessionId) -> bool {
        let mut conn = self.app.database.db.read().await.unwrap();
        store::session_fetch_any(&mut conn, id)
            .await
            .unwrap()
            .is_some()
    }
}
