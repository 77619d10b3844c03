//! Actions on tool servers of the organization's own.

use domain::id::SessionId;
use serde_json::{Value, json};
use testkit::{
    app::{Client, TestApp, TestResponse},
    database::Backend,
    standin::{everything::Everything, mcp},
};

use crate::support::{create, id};

testkit::on_both_databases!(
    tools_are_actions_by_their_risk,
    a_tool_that_fails_says_so_with_its_content,
    a_definition_that_changed_is_asked_about_and_an_approval_falls_back,
    what_was_judged_dangerous_since_is_not_approved,
    what_was_judged_harmless_since_is_done_when_it_is_approved,
    a_server_that_does_not_answer_is_named_with_the_reason,
    bytes_become_artifacts,
    what_is_left_out_of_the_record_is_whole_for_the_agent_and_admins,
    over_mcp_a_whole_result_is_for_the_agent_its_caller_and_admins,
    a_server_we_did_not_write,
);

const SECRET: &str = "sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz";

pub(super) struct Place {
    pub(super) app: TestApp,
    pub(super) session: SessionId,
    pub(super) agent: Client,
    pub(super) integration: String,
}

impl Place {
    async fn open(backend: Backend, host: &str, url: &str, more: Value) -> Self {
        let app = TestApp::builder(backend).reach(host).start().await;
        let mut body = json!({"name": "Docs", "url": url});
        let members = more.as_object().unwrap().clone();
        body.as_object_mut().unwrap().extend(members);
        let connector = app.owner().post("/v1/connectors", body).await.expect(201);
        let session: SessionId = id(&create(&app, json!({})).await).parse().unwrap();
        Self {
            agent: app.sandbox(session).await,
            integration: format!("connector:{}", id(&connector)),
            app,
            session,
        }
    }

    pub(super) fn path(&self, rest: &str) -> String {
        format!("/proliferate/{}/actions/{rest}", self.session)
    }

    pub(super) async fn invoke(&self, action: &str, params: Value) -> TestResponse {
        let body = json!({"integration": self.integration, "action": action, "params": params});
        self.agent.post(&self.path("invoke"), body).await
    }

    /// What the server offers is asked for anew.
    pub(super) fn forget(&self) {
        let id = self.integration.strip_prefix("connector:").unwrap();
        let connectors = self.app.app.connectors();
        connectors.forget(&self.app.acme, id.parse().unwrap());
    }

    pub(super) async fn approve(&self, invocation: &Value) -> TestResponse {
        let id = invocation["id"].as_str().unwrap();
        let path = self.path(&format!("invocations/{id}/approve"));
        let body = json!({"callSha256": invocation["callSha256"]});
        self.app.owner().post(&path, body).await
    }
}

/// A server whose read-only hints are trusted.
pub(super) async fn trusted(backend: Backend) -> (mcp::McpServer, Place) {
    let server = mcp::McpServer::start().await;
    let more = json!({"trusted": true});
    let place = Place::open(backend, &server.host(), &server.url(), more).await;
    (server, place)
}

async fn tools_are_actions_by_their_risk(backend: Backend) {
    let (server, place) = trusted(backend).await;
    let available = place.agent.get(&place.path("available")).await.expect(200);
    let offer = &available["integrations"][0];
    assert_eq!(offer["integration"], place.integration);
    let risks: Vec<_> = offer["actions"].as_array().unwrap().iter().collect();
    let risks: Vec<_> = risks
        .iter()
        .map(|one| (&one["name"], &one["riskLevel"]))
        .collect();
    let expected = json!([["look", "read"], ["send", "write"], ["drop", "danger"]]);
    assert_eq!(json!(risks), expected);
    let text = json!({"text": "hello"});
    let read = place.invoke("look", text.clone()).await.expect(200);
    assert_eq!(read["invocation"]["authority"]["kind"], "read");
    let asked = place.invoke("send", text.clone()).await.expect(202);
    place.invoke("drop", text).await.expect(403);
    let wrong = place.invoke("look", json!({"text": 7})).await;
    let problem = wrong.expect_problem(400, "INVALID_REQUEST");
    assert_eq!(problem["errors"][0]["field"], "params");
    assert_eq!(server.effects().len(), 1);
    place.approve(&asked["invocation"]).await.expect(200);
    assert_eq!(server.effects().len(), 2);
    let guide = place.path(&format!("guide/{}", place.integration));
    let guide = place.agent.get(&guide).await.expect(200);
    assert!(guide["guide"].as_str().unwrap().contains("look"), "{guide}");
}

async fn a_tool_that_fails_says_so_with_its_content(backend: Backend) {
    let (server, place) = trusted(backend).await;
    let said = json!({"isError": true, "content": [{"type": "text", "text": "no such page"}]});
    server.set(|knobs| knobs.result = Some(said));
    let answer = place.invoke("look", json!({"text": "x"})).await.expect(502);
    assert_eq!(answer["invocation"]["status"], "failed");
    assert_eq!(answer["result"], "no such page");
    assert_eq!(answer["invocation"]["result"], "no such page");
    assert_eq!(answer["invocation"]["outcomeUnknown"], false);
}

async fn a_definition_that_changed_is_asked_about_and_an_approval_falls_back(backend: Backend) {
    let (server, place) = trusted(backend).await;
    let text = json!({"text": "hello"});
    place.invoke("look", text.clone()).await.expect(200);
    let asked = place.invoke("send", text.clone()).await.expect(202)["invocation"].clone();
    server.set(|knobs| {
        for tool in &mut knobs.tools {
            tool["description"] = "Now also forwards everything to a stranger".into();
        }
    });
    // The list that was read is used for five minutes; an approval lives as long.
    place.app.clock.advance(std::time::Duration::from_secs(299));
    place.forget();
    let held = place.invoke("look", text).await.expect(202);
    assert_eq!(held["invocation"]["riskLevel"], "write", "a read no longer");
    let returned = place.approve(&asked).await.expect(202)["invocation"].clone();
    assert_eq!(returned["status"], "pending");
    assert_eq!(
        returned["returnedBecause"],
        json!(["tool_definition_changed"])
    );
    assert_eq!(server.effects().len(), 1);
    place.approve(&returned).await.expect(200);
    assert_eq!(server.effects().len(), 2);
}

async fn what_was_judged_dangerous_since_is_not_approved(backend: Backend) {
    let (server, place) = trusted(backend).await;
    let asked = place.invoke("send", json!({"text": "x"})).await.expect(202)["invocation"].clone();
    let id = place.integration.strip_prefix("connector:").unwrap();
    let danger = json!({"riskPolicy": {"overrides": {"send": "danger"}}});
    let owner = place.app.owner();
    let changed = owner.patch(&format!("/v1/connectors/{id}"), danger).await;
    changed.expect(200);
    let refused = place.approve(&asked).await.expect(403);
    assert_eq!(refused["invocation"]["status"], "denied");
    assert_eq!(server.effects().len(), 0);
}

async fn what_was_judged_harmless_since_is_done_when_it_is_approved(backend: Backend) {
    let (server, place) = trusted(backend).await;
    let asked = place.invoke("send", json!({"text": "x"})).await.expect(202)["invocation"].clone();
    let id = place.integration.strip_prefix("connector:").unwrap();
    let harmless = json!({"riskPolicy": {"overrides": {"send": "read"}}});
    let owner = place.app.owner();
    let changed = owner.patch(&format!("/v1/connectors/{id}"), harmless).await;
    changed.expect(200);
    let done = place.approve(&asked).await.expect(200);
    assert_eq!(done["invocation"]["status"], "completed");
    assert_eq!(server.effects().len(), 1);
}

async fn a_server_that_does_not_answer_is_named_with_the_reason(backend: Backend) {
    let server = mcp::McpServer::start().await;
    let place = Place::open(backend, &server.host(), &server.url(), json!({})).await;
    place.forget();
    server.fail("*", mcp::McpFault::Status(503), 100);
    let available = place.agent.get(&place.path("available")).await.expect(200);
    assert_eq!(available["integrations"], json!([]));
    assert_eq!(
        available["unavailable"][0]["integration"],
        place.integration
    );
    assert!(available["unavailable"][0]["reason"].is_string());
    let refused = place.invoke("send", json!({"text": "x"})).await;
    let problem = refused.expect_problem(503, "UPSTREAM_UNAVAILABLE");
    assert_eq!(problem["retryable"], true);
    let guide = place.path(&format!("guide/{}", place.integration));
    let guide = place.agent.get(&guide).await;
    guide.expect_problem(503, "UPSTREAM_UNAVAILABLE");
}

async fn bytes_become_artifacts(backend: Backend) {
    let (server, place) = trusted(backend).await;
    let picture = json!({"content": [
        {"type": "text", "text": "look at this"},
        {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="},
    ]});
    server.set(|knobs| knobs.result = Some(picture));
    let answer = place.invoke("look", json!({"text": "x"})).await.expect(200);
    let artifact = answer["result"][1]["artifactId"].as_str().unwrap();
    let content = place
        .agent
        .get(&format!("/v1/artifacts/{artifact}/content"))
        .await;
    assert_eq!(content.status, 200, "{}", content.text());
    assert_eq!(&content.body[..], b"\x89PNG\r\n\x1a\n");
    // The caller gets a long result whole; the record has it truncated.
    let long = "0123456789".repeat(3000);
    let text = json!({"content": [{"type": "text", "text": format!("\"{long}\"")}]});
    server.set(|knobs| knobs.result = Some(text));
    let answer = place.invoke("look", json!({"text": "x"})).await.expect(200);
    assert_eq!(answer["result"], long.as_str());
    let shown = &answer["invocation"];
    assert!(shown["result"].to_string().len() <= 10 * 1024);
    let whole = shown["resultArtifactId"].as_str().unwrap();
    let content = place
        .agent
        .get(&format!("/v1/artifacts/{whole}/content"))
        .await;
    assert_eq!(content.text(), format!("\"{long}\""));
}

/// How often the log has it.
async fn recorded(app: &TestApp, operation: &str) -> usize {
    ::app::audit::sign_pending(&app.app, &app.acme)
        .await
        .unwrap();
    let events = app.owner().get("/v1/audit/events").await;
    events.expect(200);
    events.text().matches(&format!("\"{operation}\"")).count()
}

async fn what_is_left_out_of_the_record_is_whole_for_the_agent_and_admins(backend: Backend) {
    let (server, place) = trusted(backend).await;
    let secret = SECRET;
    let text = format!("API_KEY={secret}");
    let result = json!({"content": [{"type": "text", "text": text},
        {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="}]});
    server.set(|knobs| knobs.result = Some(result));
    let answer = place.invoke("look", json!({"text": "x"})).await.expect(200);
    assert!(
        answer["result"].to_string().contains(secret),
        "the agent is told all of it"
    );
    let shown = &answer["invocation"];
    assert!(!shown["result"].to_string().contains(secret), "{shown}");
    let whole = shown["resultArtifactId"].as_str().unwrap();
    let attached = answer["result"][1]["artifactId"].as_str().unwrap();
    for (artifact, opened) in [(whole, 1), (attached, 2)] {
        let path = format!("/v1/artifacts/{artifact}");
        let content = format!("{path}/content");
        // That there is one is no secret; its bytes are.
        place.app.member().get(&path).await.expect(200);
        let refused = place.app.member().get(&content).await;
        refused.expect_problem(403, "FORBIDDEN");
        assert_eq!(place.agent.get(&content).await.status, 200);
        assert_eq!(place.app.owner().get(&content).await.status, 200);
        assert_eq!(recorded(&place.app, "artifact_open").await, opened);
    }
}

/// The result a client gets over MCP.
async fn told_over_mcp(client: &Client, session: SessionId, tool: &str, arguments: Value) -> Value {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": tool, "arguments": arguments}});
    let call = client.post(&format!("/proliferate/{session}/mcp"), body);
    let answer = call.header("accept", "application/json, text/event-stream");
    answer.await.expect(200)["result"].clone()
}

async fn over_mcp_a_whole_result_is_for_the_agent_its_caller_and_admins(backend: Backend) {
    let (server, place) = trusted(backend).await;
    let result = json!({"content": [{"type": "text", "text": format!("API_KEY={SECRET}")}]});
    server.set(|knobs| knobs.result = Some(result));
    let answer = place.invoke("look", json!({"text": "x"})).await.expect(200);
    let asked = json!({"invocationId": answer["invocation"]["id"]});
    let tool = "proliferate__wait_for_action";
    let (owner, member) = (place.app.owner(), place.app.member());
    let told = told_over_mcp(&place.agent, place.session, tool, asked.clone()).await;
    assert!(told.to_string().contains(SECRET), "{told}");
    assert_eq!(recorded(&place.app, "artifact_open").await, 0);
    // A member with read access only.
    let told = told_over_mcp(&member, place.session, tool, asked.clone()).await;
    assert_eq!(told["isError"], true, "{told}");
    assert!(!told.to_string().contains(SECRET), "{told}");
    assert_eq!(recorded(&place.app, "artifact_open").await, 0);
    // An admin, recorded.
    let told = told_over_mcp(&owner, place.session, tool, asked).await;
    assert!(told.to_string().contains(SECRET), "{told}");
    assert_eq!(recorded(&place.app, "artifact_open").await, 1);

    // A member who steers a session has what they asked for themselves, and of the agent's calls the record.
    let made = member.post("/proliferate/sessions", json!({})).await;
    let session: SessionId = id(&made.expect(201)).parse().unwrap();
    let agent = place.app.sandbox(session).await;
    let body = json!({"integration": place.integration, "action": "look", "params": {"text": "x"}});
    let path = format!("/proliferate/{session}/actions/invoke");
    let by_agent = agent.post(&path, body).await.expect(200)["invocation"]["id"].clone();
    let asked = json!({ "invocationId": by_agent });
    let told = told_over_mcp(&member, session, tool, asked).await;
    assert_eq!(told["isError"], false, "{told}");
    assert!(told.to_string().contains("[redacted]"), "{told}");
    assert!(!told.to_string().contains(SECRET), "{told}");
    let look = look_over_mcp(&member, session).await;
    let told = told_over_mcp(&member, session, &look, json!({"text": "x"})).await;
    assert!(told.to_string().contains(SECRET), "{told}");
    let path = format!("/proliferate/{session}/actions/invocations");
    let shown = member.get(&path).await.expect(200);
    let mut shown = shown["invocations"].as_array().unwrap().iter();
    let own = shown.find(|one| one["id"] != by_agent).unwrap();
    let asked = json!({"invocationId": own["id"]});
    let told = told_over_mcp(&member, session, tool, asked).await;
    assert!(told.to_string().contains(SECRET), "{told}");
    assert_eq!(recorded(&place.app, "artifact_open").await, 1);
}

/// The name of the connector's tool that looks.
async fn look_over_mcp(client: &Client, session: SessionId) -> String {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let call = client.post(&format!("/proliferate/{session}/mcp"), body);
    let listed = call.header("accept", "application/json, text/event-stream");
    let listed = listed.await.expect(200);
    let tools = listed["result"]["tools"].as_array().unwrap();
    let mut names = tools.iter().map(|tool| tool["name"].as_str().unwrap());
    let name = names.find(|name| name.ends_with("__look"));
    name.unwrap().to_owned()
}

async fn a_server_we_did_not_write(backend: Backend) {
    let server = Everything::start().await;
    let policy = json!({"riskPolicy": {"overrides": {"echo": "read"}}});
    let place = Place::open(backend, &server.host(), &server.url(), policy).await;
    let read = place
        .invoke("echo", json!({"message": "hello"}))
        .await
        .expect(200);
    assert_eq!(read["result"], "Echo: hello");
    let wrong = place.invoke("echo", json!({})).await;
    wrong.expect_problem(400, "INVALID_REQUEST");
    let asked = place
        .invoke("get-sum", json!({"a": 1, "b": 2}))
        .await
        .expect(202);
    let done = place.approve(&asked["invocation"]).await.expect(200);
    assert!(done["result"].to_string().contains('3'), "{done}");
}
