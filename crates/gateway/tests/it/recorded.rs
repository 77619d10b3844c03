//! Every operation that changes something leaves an event with its subject: each of the OpenAPI document is done once,
//! successfully, by a caller who may do it, and its event is looked for in the log of the organization.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::Method;
use domain::session::{Session, SessionState};
use hub::Hub;
use serde_json::{Value, json};
use testkit::{
    app::{Client, Person, TestApp, TestResponse},
    database::Backend,
    standin::{
        Standin,
        agent::Agent,
        hook,
        mcp::McpServer,
        oidc::{self, OidcStandin, Signing},
    },
};

use crate::{
    authorization::{self, Row},
    device_login, invitations,
    live::client::Socket,
    models::Provider,
    setup,
    support::{configuration, create, id},
};

testkit::on_both_databases!(
    every_change_leaves_an_event_with_its_subject,
    every_change_over_a_connection_leaves_an_event_with_its_subject,
);

const TABLE: &str = include_str!("audit.table");

/// Operations without an event, and why. The list may only shrink: one that leaves an event fails.
const EXCEPTIONS: [(&str, &str); 15] = [
    (
        "configuration_connectors_validate",
        "tries a server; nothing is kept",
    ),
    ("connector_validate", "tries a server; nothing is kept"),
    (
        "device_login_create",
        "belongs to no organization until a member decides",
    ),
    ("git_upload_pack", "reads from a repository"),
    ("grant_backtest", "reads; nothing is granted"),
    ("invitation_inspect", "reads"),
    ("login_mail", "tests/it/mails.rs looks for its event"),
    (
        "model_message",
        "is on the session's account, with its tokens",
    ),
    ("model_token_count", "reads"),
    ("policy_why", "reads"),
    ("secret_check", "reads"),
    ("setup_inspect", "reads"),
    ("session_eager_start", "readies what the next message would"),
    ("session_heartbeat", "says that a page is still open"),
    (
        "session_message",
        "is in the session's own log, with its sender",
    ),
];

/// Operations that this test cannot do, and where that is recorded.
const RECORDED_ELSEWHERE: [(&str, &str); 1] = [(
    "setup",
    "needs an installation without an organization; tests/it/setup.rs looks for its event",
)];

/// Operations by `GET` that do more than read, and where that is recorded.
const CHANGING_GETS: [(&str, &str); 10] = [
    (
        "action_open",
        "tests/it/actions/whole.rs looks for its event",
    ),
    (
        "artifact_content",
        "tests/it/actions/connectors.rs looks for its event",
    ),
    ("integration_callback", "ends as `integration_create` does"),
    ("login_link", "tests/it/login.rs looks for its event"),
    (
        "login_oidc",
        "keeps the attempt in the browser's cookie alone",
    ),
    ("login_oidc_callback", "ends as `login` does"),
    (
        "session_attach",
        "each of its messages has a row in `MESSAGES`",
    ),
    (
        "session_preview",
        "the server in the sandbox is asked, and records what it likes",
    ),
    ("session_preview_look", "the same"),
    (
        "session_terminal",
        "is opened below, and its event looked for",
    ),
];

/// Operations by `GET` that read, and leave no event.
const READING_GETS: &str = "\
    action_available action_explain action_grant_list action_guide action_inbox action_invocation_list \
    action_invocation_show action_show api_key_list artifact_list artifact_show audit_bundle_show \
    audit_checkpoint_show audit_consistency_show audit_event_list audit_key_show audit_proof_show automation_list \
    automation_run_list automation_run_show automation_show case_list case_record_list case_show \
    configuration_connectors_show configuration_list configuration_show configuration_snapshots connector_list \
    connector_presets connector_show connector_tools device_login_show docs error_page fleet_show git_diff git_refs git_status \
    grant_list grant_list_calls grant_request_list grant_show health home instance_show integration_list \
    integration_show invitation_list job_list login_options me member_list metrics model_list news openapi \
    organization_budget_show organization_ceiling_show organization_limits_show organization_list organization_sharing_show \
    organization_show \
    override_ticket_list override_ticket_show policy_diff policy_show policy_versions policy_who_can ready repo_list \
    repo_show run_list_children run_show safety_lock_show secret_list session_events session_list session_page \
    session_sharing_show session_show session_snapshots session_status share_link_list session_usage tool_callback_list verification_media \
    webhook_delivery_list webhook_list webhook_show";

/// Every message of a client that may change something, and its event; without one, why there is none.
const MESSAGES: [(&str, Result<&str, &str>); 8] = [
    (r#"{"type": "cancel"}"#, Ok("session_cancel session/{id}")),
    (
        r#"{"type": "save_snapshot"}"#,
        Ok("session_snapshot_save session_snapshot/{id}"),
    ),
    (
        r#"{"type": "run_auto_start", "runId": "0192f0c1-2345-7abc-8def-0123456789ab"}"#,
        Ok("session_services_start session_services/{id}"),
    ),
    (
        r#"{"type": "git_create_branch", "branchName": "fix"}"#,
        Ok("session_branch_create session_branch/{id}"),
    ),
    (
        r#"{"type": "git_commit", "message": "Fix it"}"#,
        Ok("session_commit_create session_commit/{id}"),
    ),
    (
        r#"{"type": "git_push"}"#,
        Err("is the mediated call that `git_receive_pack` is"),
    ),
    (
        r#"{"type": "git_create_pr", "title": "Fix it"}"#,
        Err("is a mediated call, after that of the push"),
    ),
    (
        r#"{"type": "prompt", "content": "Go on."}"#,
        Err("is in the session's own log, with its sender"),
    ),
];

/// Messages that only look, and the one that says who the client is.
const LOOKING: [&str; 5] = [
    "auth",
    "get_git_status",
    "get_messages",
    "get_status",
    "ping",
];

/// Nothing listens there.
const NOWHERE: &str = "127.0.0.1:1";

/// Operations that are done as far as the gateway goes, and end at something that is not there: a service, a repository, a
/// tool, a sandbox.
const ENDS_OUTSIDE: [&str; 5] = [
    "action_approve",
    "git_receive_pack",
    "session_env_submit",
    "session_migrate",
    "tool_callback_internal",
];

struct Expected {
    operation: &'static str,
    event: &'static str,
    subject: &'static str,
    body: Option<String>,
}

fn table() -> Vec<Expected> {
    let lines = { TABLE.lines() }.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &'static str| {
        let (cells, body) = match line.split_once(" | ") {
            Some((cells, body)) => (cells, Some(body.to_owned())),
            None => (line, None),
        };
        let cells: Vec<_> = cells.split_whitespace().collect();
        let [operation, event, subject] = cells[..] else {
            panic!("{line}");
        };
        Expected {
            operation,
            event,
            subject,
            body,
        }
    };
    lines.skip(1).map(row).collect()
}

/// The operations that may change something, with their rows of the other table.
fn changing() -> BTreeMap<String, Row> {
    let document = serde_json::to_value(gateway::openapi::document()).unwrap();
    let (_, rows) = authorization::table();
    let changes = rows.into_iter().filter(|row| row.method != Method::GET);
    let named = changes.map(|row| {
        let method = row.method.as_str().to_lowercase();
        let operation = &document["paths"][&row.path][method]["operationId"];
        (operation.as_str().unwrap().to_owned(), row)
    });
    let is_elsewhere = |name: &str| RECORDED_ELSEWHERE.iter().any(|(other, _)| *other == name);
    named.filter(|(name, _)| !is_elsewhere(name)).collect()
}

#[test]
fn every_operation_that_changes_something_has_a_row_or_a_reason() {
    let table = table();
    let listed: BTreeSet<_> = { table.iter().map(|row| row.operation) }
        .chain(EXCEPTIONS.iter().map(|(operation, _)| *operation))
        .collect();
    assert_eq!(
        listed.len(),
        table.len() + EXCEPTIONS.len(),
        "one is listed twice"
    );
    let changing = changing();
    let known: BTreeSet<_> = changing.keys().map(String::as_str).collect();
    let missing: Vec<_> = known.difference(&listed).collect();
    let surplus: Vec<_> = listed.difference(&known).collect();
    assert!(
        missing.is_empty() && surplus.is_empty(),
        "audit.table lacks {missing:?} and has {surplus:?} that no route has"
    );
}

#[test]
fn every_operation_by_get_reads_or_says_where_it_is_recorded() {
    let document = serde_json::to_value(gateway::openapi::document()).unwrap();
    let paths = document["paths"].as_object().unwrap().values();
    let gets = paths.filter_map(|item| item["get"]["operationId"].as_str());
    let known: BTreeSet<_> = gets.collect();
    let listed: BTreeSet<_> = { CHANGING_GETS.iter().map(|(operation, _)| *operation) }
        .chain(READING_GETS.split_whitespace())
        .collect();
    let missing: Vec<_> = known.difference(&listed).collect();
    let surplus: Vec<_> = listed.difference(&known).collect();
    assert!(
        missing.is_empty() && surplus.is_empty(),
        "the lists lack {missing:?} and have {surplus:?} that no route has"
    );
}

#[test]
fn every_mediated_operation_is_one_of_the_api() {
    let document = serde_json::to_value(gateway::openapi::document()).unwrap();
    let items = document["paths"].as_object().unwrap().values();
    let operations = items.flat_map(|item| item.as_object().unwrap().values());
    let known: BTreeSet<_> = operations
        .filter_map(|operation| operation["operationId"].as_str())
        .collect();
    for operation in gateway::MEDIATED {
        assert!(known.contains(operation), "{operation}");
    }
}

#[test]
fn every_message_of_a_client_has_a_row() {
    let schema: Value = serde_json::from_str(&wire::live::json_schema()).unwrap();
    let messages = schema["$defs"]["ClientMessage"]["oneOf"]
        .as_array()
        .unwrap();
    let known = { messages.iter() }.map(|message| &message["properties"]["type"]["enum"][0]);
    let known: BTreeSet<_> = known
        .map(|name| name.as_str().unwrap().to_owned())
        .collect();
    let parsed = MESSAGES.map(|(text, _)| wire::live::ClientMessage::parse(text).unwrap());
    assert!(parsed.iter().all(wire::live::ClientMessage::is_mutation));
    let kind = |text| serde_json::from_str::<Value>(text).unwrap()["type"].clone();
    let changing = MESSAGES.map(|(text, _)| kind(text).as_str().unwrap().to_owned());
    let listed: BTreeSet<_> = { changing.into_iter() }
        .chain(LOOKING.map(str::to_owned))
        .collect();
    assert_eq!(listed, known);
}

struct World {
    app: TestApp,
    mcp: McpServer,
    hook: Standin,
    oidc: OidcStandin,
    _agent: Agent,
    _model: Provider,
}

impl World {
    async fn new(backend: Backend) -> Self {
        let (mcp, hook) = (McpServer::start().await, hook::start().await);
        let (agent, model) = (Agent::start().await, Provider::start().await);
        let oidc = oidc::start(Signing::Es256).await;
        let linear = authorization::linear_client();
        let builder = { TestApp::builder(backend).client("linear", linear) }
            .reach(NOWHERE)
            .reach(&mcp.host())
            .reach(&hook.address.to_string())
            .model(&model.url)
            .reach(&oidc.host())
            .oidc(oidc.settings())
            .options(|options| options.installation_checks = Some(setup::checks()));
        let mut app = builder.start().await;
        app.live_in(Hub::with_runtimes(app.app.clone(), agent.runtimes()));
        Self {
            app,
            mcp,
            hook,
            oidc,
            _agent: agent,
            _model: model,
        }
    }

    /// How many events the log has.
    async fn size(&self) -> u64 {
        let last = app::audit::sign_pending(&self.app.app, &self.app.acme).await;
        last.unwrap()
            .map_or(0, |last| u64::try_from(last.size).unwrap())
    }

    /// `operation subject` of the events after the first `size`.
    async fn events_after(&self, size: u64) -> Vec<String> {
        self.size().await;
        let page = self
            .app
            .owner()
            .get("/v1/audit/events?limit=50")
            .await
            .expect(200);
        let items = page["items"].as_array().unwrap().iter();
        // A refusal leaves an event too, and is no change.
        let is_refusal = |item: &Value| {
            let event = &item["record"]["event"];
            event["action_type"] == "system" && event["outcome"] != "success"
        };
        let new = items.filter(|item| item["seq"].as_u64().unwrap() >= size && !is_refusal(item));
        let target = |item: &Value| {
            let target = &item["record"]["event"]["target"];
            let text = |name: &str| target[name].as_str().unwrap_or("-").to_owned();
            format!("{} {}", text("operation"), text("name"))
        };
        new.map(target).collect()
    }

    /// What the path of an operation names, made for it. Two ids are apart by a blank.
    async fn named(&self, operation: &str, row: &Row, count: usize) -> String {
        let app = &self.app;
        let owner = app.owner();
        match operation {
            "connector_review" => {
                let body = json!({"name": "Docs", "url": self.mcp.url()});
                id(&owner.post("/v1/connectors", body).await.expect(201))
            }
            "configuration_connectors_validate" => configuration(app, json!({"name": "x"})).await,
            "webhook_delivery_redeliver" => {
                let body = json!({"url": self.hook.base_url});
                let made = owner.post("/v1/webhooks", body).await.expect(201);
                let webhook = id(&made["webhook"]);
                let path = format!("/v1/webhooks/{webhook}");
                // A pending approval is sent.
                authorization::resource(app, "/v1/actions/{id}", count).await;
                app::webhooks::deliver_due(&app.app).await.unwrap();
                let log = owner.get(&format!("{path}/deliveries")).await.expect(200);
                format!("{webhook} {}", id(&log["items"][0]))
            }
            "device_login_decide" => {
                let (_, code) = device_login::started(app).await;
                format!("{code} {}", device_login::browser(app).await.cookie)
            }
            "device_login_redeem" => {
                let (device_code, code) = device_login::started(app).await;
                let browser = device_login::browser(app).await;
                device_login::decide(&browser, &code, "approve")
                    .await
                    .expect(200);
                device_code
            }
            "instance_drain" | "instance_undrain" => app.app.instance.id.to_string(),
            "action_deny_many" => authorization::resource(app, "/v1/actions/{id}", count).await,
            "git_receive_pack" | "git_upload_pack" => {
                let body = json!({"name": format!("acme/{count}"), "source": "github",
                    "url": format!("http://{NOWHERE}/acme/{count}"), "push": "branches"});
                let repo = id(&owner.post("/v1/repos", body).await.expect(201));
                let body = json!({"name": "web", "repoIds": [repo]});
                let body = json!({"configurationId": configuration(app, body).await});
                format!("{} {repo}", id(&create(app, body).await))
            }
            "invitation_inspect" => {
                let made = owner.post("/v1/invitations", json!({ "role": "member" }));
                invitations::code(&made.await.expect(201)["link"])
            }
            "artifact_upload" | "tool_call" => {
                let case = owner.post("/v1/cases", json!({})).await.expect(201);
                case["id"].as_str().unwrap().to_owned()
            }
            "override_ticket_open" | "safety_lock_engage" | "safety_lock_release" => {
                // It engages the lock.
                authorization::ticket(app).await
            }
            "tool_callback_internal" | "shared_read" => id(&create(app, json!({})).await),
            "share_link_revoke" => {
                let session = id(&create(app, json!({})).await);
                let links = format!("/v1/sessions/{session}/share-links");
                let made = owner.post(&links, json!({})).await.expect(201);
                format!("{session} {}", id(&made["link"]))
            }
            "session_migrate" => {
                let started_at = app.app.now();
                let session = Session {
                    state: SessionState::Running { started_at },
                    ..app.fixture.session(&app.acme)
                };
                app.insert_session(&session).await;
                session.id.to_string()
            }
            _ => authorization::resource(app, &row.path, count).await,
        }
    }

    /// Does the operation as a caller who may.
    #[expect(
        clippy::too_many_lines,
        reason = "an arm for each operation that needs its own"
    )]
    async fn done(&self, operation: &str, row: &Row, named: &str, count: usize) -> TestResponse {
        let app = &self.app;
        let (first, inner) = named.split_once(' ').unwrap_or((named, named));
        let owner = app.owner();
        let usual = async |client: &Client| authorization::call(client, row, named, count).await;
        let agent = async || app.sandbox(first.parse().unwrap()).await;
        match operation {
            "action_approve" => {
                let shown = owner.get(&format!("/v1/actions/{inner}")).await.expect(200);
                let digest = shown
                    .pointer("/invocation/callSha256")
                    .or(shown.get("callSha256"));
                let path = row
                    .path
                    .replace("{id}", first)
                    .replace("{invocation}", inner);
                owner
                    .post(&path, json!({ "callSha256": digest.unwrap() }))
                    .await
            }
            "shared_read" => {
                let links = format!("/v1/sessions/{first}/share-links");
                let made = owner.post(&links, json!({})).await.expect(201);
                let (_, code) = made["url"].as_str().unwrap().split_once('#').unwrap();
                let reader = app.anonymous();
                reader.post("/v1/shared", json!({ "code": code })).await
            }
            "invitation_inspect" => {
                let body = json!({ "code": first });
                app.anonymous().post(&row.path, body).await
            }
            "invitation_accept" => {
                let made = owner.post("/v1/invitations", json!({ "role": "member" }));
                let code = invitations::code(&made.await.expect(201)["link"]);
                let email = format!("new{count}@acme.example");
                invitations::accept(app, json!({ "code": code, "name": "New", "email": email }))
                    .await
            }
            "action_invoke" | "action_grant_request" | "tool_callback" => {
                usual(&agent().await).await
            }
            "tool_callback_internal" => {
                let body = json!({"session_id": first, "tool_call_id": "t1"});
                agent()
                    .await
                    .post("/internal/tools/save_snapshot", body)
                    .await
            }
            "mcp" => {
                let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
                    "name": "linear__create_issue", "arguments": {"teamId": "t", "title": "x"},
                    "_meta": {"proliferate/wait": 0}}});
                agent()
                    .await
                    .post(&row.path.replace("{id}", first), call)
                    .await
            }
            "git_receive_pack" | "git_upload_pack" => {
                let path = row.path.replace("{id}", first).replace("{repo}", inner);
                let (zero, one) = ("0".repeat(40), "1".repeat(40));
                let line = format!("{zero} {one} refs/heads/mend\0report-status");
                let body = format!("{:04x}{line}0000", line.len() + 4);
                agent()
                    .await
                    .call(Method::POST, &path)
                    .body("application/octet-stream", body)
                    .await
            }
            "model_message" | "model_token_count" => {
                let session = id(&create(app, json!({})).await);
                let key = app.model_key(session.parse().unwrap()).await;
                let call = app
                    .anonymous()
                    .call(row.method.clone(), &row.path)
                    .header("x-api-key", &key);
                let body = json!({"model": "claude-opus-4-6", "max_tokens": 5, "messages": []});
                call.json(&body).await
            }
            "login" => {
                let body = json!({"token": app.user_token(Person::Owner)});
                app.anonymous().post(&row.path, body).await
            }
            "logout" => {
                let body = json!({"token": app.user_token(Person::Owner)});
                let login = app.anonymous().post("/v1/login", body).await;
                let cookie = login
                    .header("set-cookie")
                    .unwrap()
                    .split(';')
                    .next()
                    .unwrap();
                let call = app
                    .anonymous()
                    .call(Method::POST, &row.path)
                    .header("cookie", cookie);
                call.header("x-proliferate-csrf", "1").await
            }
            "login_oidc_backchannel_logout" => {
                let away = app.anonymous().get("/login/oidc").await;
                let kept = away.header("set-cookie").unwrap().split(';').next();
                let back = self.oidc.say_yes(away.header("location").unwrap()).await;
                let back = back.strip_prefix("http://gateway.test").unwrap();
                let login = app.anonymous().get(back).header("cookie", kept.unwrap());
                assert_eq!(login.await.status, 303);
                let token = self.oidc.logout_token(&json!({"sub": "subject-1"}));
                let call = app.anonymous().call(Method::POST, &row.path);
                let form = format!("logout_token={token}");
                call.body("application/x-www-form-urlencoded", form).await
            }
            "device_login_decide" => {
                let body = json!({"code": first, "decision": "approve"});
                let call = app.anonymous().call(Method::POST, &row.path);
                let call = call.header("cookie", inner);
                call.header("x-proliferate-csrf", "1").json(&body).await
            }
            "device_login_redeem" => {
                let body = json!({ "deviceCode": first });
                app.anonymous().post(&row.path, body).await
            }
            "connector_validate" | "configuration_connectors_validate" => {
                let connector = json!({"id": "0192f0c1-2345-7abc-8def-0123456789ab", "name": "Docs",
                    "url": self.mcp.url(), "enabled": true});
                let path = row.path.replace("{id}", first);
                owner.post(&path, json!({ "connector": connector })).await
            }
            "connector_review" => {
                let tools = owner
                    .get(&format!("/v1/connectors/{first}/tools"))
                    .await
                    .expect(200);
                let tool = &tools["tools"][0];
                let body = json!({"tools": [{"name": tool["name"], "sha256": tool["sha256"]}]});
                owner
                    .post(&format!("/v1/connectors/{first}/review"), body)
                    .await
            }
            "case_member_add" => {
                let path = format!("/v1/cases/{first}/members/user:user_acme_admin");
                owner.call(Method::PUT, &path).await
            }
            "artifact_upload" => {
                let path = format!("{}?caseId={first}&kind=document", row.path);
                owner
                    .call(Method::POST, &path)
                    .body("text/plain", "bytes")
                    .await
            }
            "tool_call" => {
                let meetings = format!("/v1/cases/{first}/client-sessions");
                let meeting = owner.post(&meetings, json!({})).await.expect(201);
                let run = json!({ "run_kind": "agent", "case_id": first });
                let run = owner.post("/v1/runs", run).await.expect(201);
                let call = json!({"tool_name": "dictation", "operation": "dictation.start",
                    "lane_id": "TOOL_INTERVIEW_CAPTURE", "case_id": first,
                    "parent_run_id": run["run_id"],
                    "scope": { "client_session_id": meeting["id"] }});
                owner.post(&row.path, call).await
            }
            "webhook_delivery_redeliver" => {
                let path = row
                    .path
                    .replace("{id}", first)
                    .replace("{deliveryId}", inner);
                owner.post(&path, json!({})).await
            }
            // The owner opened it, and is not the second person.
            "override_ticket_approve" => usual(&app.person(Person::Admin)).await,
            "safety_lock_engage" => {
                let body = json!({"reason": "a drill"});
                owner
                    .post("/v1/safety-lock/release", body)
                    .await
                    .expect(200);
                usual(&owner).await
            }
            _ => usual(&owner).await,
        }
    }
}

/// Whether what is expected is what was found, where a `*` stands for any end.
fn matches(expected: &str, found: &str) -> bool {
    match expected.strip_suffix('*') {
        Some(beginning) => found.len() > beginning.len() && found.starts_with(beginning),
        None => expected == found,
    }
}

async fn every_change_leaves_an_event_with_its_subject(backend: Backend) {
    let world = World::new(backend).await;
    let mut rows = changing();
    let mut wrong = Vec::new();
    for (count, (operation, reason)) in EXCEPTIONS.iter().enumerate() {
        let row = rows.remove(*operation).unwrap();
        let named = world.named(operation, &row, count).await;
        let before = world.size().await;
        let answer = world.done(operation, &row, &named, count).await;
        // There is no git server to answer, and no mail server to send.
        let is_done = answer.status < 300 || ["git_upload_pack", "login_mail"].contains(operation);
        let of_it = |event: &String| event.split('_').next() == operation.split('_').next();
        let events = world.events_after(before).await;
        if !is_done || events.iter().any(of_it) {
            let (status, text) = (answer.status, answer.text());
            wrong.push(format!(
                "{operation}, which {reason}: {status} {events:?} {text}"
            ));
        }
    }
    for (count, expected) in table().into_iter().enumerate() {
        let operation = expected.operation;
        let mut row = rows.remove(operation).unwrap();
        let named = world.named(operation, &row, 100 + count).await;
        let (first, inner) = named.split_once(' ').unwrap_or((&named, &named));
        if let Some(body) = expected.body {
            row.body = Some(body.replace("{id}", first));
        }
        let before = world.size().await;
        let answer = world.done(operation, &row, &named, 100 + count).await;
        let subject = expected
            .subject
            .replace("{id}", first)
            .replace("{inner}", inner);
        let event = format!("{} {subject}", expected.event);
        let events = world.events_after(before).await;
        let is_done = answer.status < 300 || ENDS_OUTSIDE.contains(&operation);
        if !is_done || !events.iter().any(|found| matches(&event, found)) {
            let (status, text) = (answer.status, answer.text());
            wrong.push(format!(
                "{operation}: {status}, expected {event}, found {events:?} {text}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The agent behind it is scripted and its sandbox has no daemon: requests are recorded before they are tried.
async fn every_change_over_a_connection_leaves_an_event_with_its_subject(backend: Backend) {
    let world = World::new(backend).await;
    let app = &world.app;
    let session = id(&create(app, json!({})).await);
    let served = app.serve().await;
    let bearer = format!("Bearer {}", app.user_token(Person::Owner));
    let headers = [("authorization", bearer.as_str())];
    let path = format!("/proliferate/{session}");
    let mut socket = Socket::open(served.address, &path, &headers).await.unwrap();
    socket.next_of("init").await;
    for (message, event) in MESSAGES {
        let before = world.size().await;
        socket.send_text(message).await;
        // Messages are taken one after the other.
        socket.send(json!({"type": "ping"})).await;
        socket.next_of("pong").await;
        let events = world.events_after(before).await;
        match event {
            Ok(event) => assert_eq!(events, [event.replace("{id}", &session)], "{message}"),
            Err(reason) => assert_eq!(events, [] as [String; 0], "{message}, which {reason}"),
        }
    }
    let before = world.size().await;
    let terminal = format!("{path}/terminal");
    let opened = Socket::open(served.address, &terminal, &headers).await;
    opened.map(drop).expect_err("there is no daemon");
    let event = format!("session_terminal_open session_terminal/{session}");
    assert_eq!(world.events_after(before).await, [event]);
}
