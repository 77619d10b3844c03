//! Tools of a sandbox that the gateway does.

use std::{sync::Arc, time::Duration};

use app::callbacks::{self, CallbackAnswer, CallbackRequest};
use domain::{caller::Caller, id::SessionId, limits::CALLBACK_QUOTA};
use serde_json::{Map, Value, json};
use testkit::{
    app::{Client, TestApp, TestResponse},
    database::Backend,
    tool::{Behaviour, FakeTool},
};
use tools::Failure;

use crate::support::{configuration, create, id};

testkit::on_both_databases!(
    what_an_agent_found_out_is_kept_in_its_configuration,
    a_repeated_call_is_answered_with_what_came_of_the_first,
    many_at_once_under_one_id_are_done_once,
    many_in_one_commit_under_one_id_count_once,
    two_sessions_may_use_the_same_id,
    what_takes_long_is_joined,
    a_failure_is_told_and_stays,
    a_tool_of_another_mode_is_denied,
    what_is_wrong_is_named,
    the_eleventh_in_an_hour_is_too_many,
    the_other_route_speaks_its_own_words,
    a_tool_of_a_sandbox_has_no_other_way_in,
    what_a_dead_process_left_is_told_as_a_failure,
);

struct Place {
    app: TestApp,
    configuration: String,
    session: SessionId,
    agent: Client,
}

impl Place {
    async fn open(builder: testkit::app::Builder, session_type: &str) -> Self {
        let app = builder.start().await;
        let configuration = configuration(&app, json!({"name": "Shop"})).await;
        let body = json!({"sessionType": session_type, "configurationId": configuration});
        let session: SessionId = id(&create(&app, body).await).parse().unwrap();
        Self {
            agent: app.sandbox(session).await,
            app,
            configuration,
            session,
        }
    }

    /// Without waiting for callbacks.
    async fn hasty(backend: Backend, tool: &Arc<FakeTool>) -> Self {
        let builder = TestApp::builder(backend).builtin("save_snapshot", tool.clone());
        let short = Duration::from_millis(100);
        let builder = builder.options(|options| options.callback_wait = short);
        Self::open(builder, "coding").await
    }

    async fn setup(backend: Backend) -> Self {
        Self::open(TestApp::builder(backend), "setup").await
    }

    fn path(&self, tool: &str) -> String {
        format!("/proliferate/{}/tools/{tool}", self.session)
    }

    async fn call(&self, tool: &str, call: &str, args: Value) -> TestResponse {
        let body = json!({"tool_call_id": call, "args": args});
        self.agent.post(&self.path(tool), body).await
    }

    /// Status and tool of what is on record, oldest first.
    async fn rows(&self) -> Vec<(String, String)> {
        let path = format!("/v1/sessions/{}/tool-calls", self.session);
        let page = self.app.member().get(&path).await.expect(200);
        let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
        let rows = page["items"].as_array().unwrap().iter().rev();
        rows.map(|row| (text(row, "status"), text(row, "toolName")))
            .collect()
    }
}

fn commands() -> Value {
    json!({"commands": [{"name": "web", "command": "npm start", "cwd": "app"}]})
}

async fn what_an_agent_found_out_is_kept_in_its_configuration(backend: Backend) {
    let place = Place::setup(backend).await;
    let saved = place.call("save_service_commands", "t1", commands()).await;
    assert_eq!(
        saved.expect(200),
        json!({"success": true, "result": "Saved 1 service commands.",
            "data": {"configurationId": place.configuration, "commandCount": 1}})
    );
    let files = json!({"files": [{"workspacePath": "app", "path": ".env", "format": "dotenv", "mode": "secret",
        "keys": [{"key": "API_KEY", "required": true}]}]});
    let saved = place.call("save_env_files", "t2", files).await.expect(200);
    assert_eq!(saved["data"]["fileCount"], 1);
    let path = format!("/v1/configurations/{}", place.configuration);
    let kept = place.app.owner().get(&path).await.expect(200);
    assert_eq!(kept["serviceCommands"][0]["command"], "npm start");
    assert_eq!(kept["envFiles"][0]["keys"][0]["key"], "API_KEY");
    let completed = |tool: &str| ("completed".to_owned(), tool.to_owned());
    let expected = [
        completed("save_service_commands"),
        completed("save_env_files"),
    ];
    assert_eq!(place.rows().await, expected);
}

async fn a_repeated_call_is_answered_with_what_came_of_the_first(backend: Backend) {
    let place = Place::setup(backend).await;
    let first = place.call("save_service_commands", "t1", commands()).await;
    let second = place.call("save_service_commands", "t1", commands()).await;
    assert_eq!(first.expect(200), second.expect(200));
    let other = json!({"commands": [{"name": "web", "command": "rm -rf /"}]});
    let other = place.call("save_service_commands", "t1", other).await;
    other.expect_problem(409, "IDEMPOTENCY_CONFLICT");
    assert_eq!(place.rows().await.len(), 1);
}

async fn many_at_once_under_one_id_are_done_once(backend: Backend) {
    let tool = FakeTool::new(Behaviour::Leaves("tool_answer", ANSWER));
    let builder = TestApp::builder(backend).builtin("save_snapshot", tool.clone());
    let place = Place::open(builder, "coding").await;
    let calls = (0..20).map(|_| place.call("save_snapshot", "toolu_1", json!({})));
    for answer in futures::future::join_all(calls).await {
        let answer = answer.expect(200);
        assert_eq!(answer["data"]["snapshotId"], "s1", "{answer}");
    }
    assert_eq!(tool.calls(), 1);
}

/// More than the quota has, which wait together while the writer is taken.
async fn many_in_one_commit_under_one_id_count_once(backend: Backend) {
    let tool = FakeTool::new(Behaviour::Leaves("tool_answer", ANSWER));
    let builder = TestApp::builder(backend).builtin("save_snapshot", tool.clone());
    let place = Place::open(builder, "coding").await;
    let caller = Caller::Sandbox {
        organization_id: place.app.acme.clone(),
        session_id: place.session,
        incarnation: place.app.session(place.session).await.incarnation,
    };
    let call = |id: &str| {
        let asked = CallbackRequest {
            tool: "save_snapshot".to_owned(),
            tool_call_id: id.to_owned(),
            args: Map::new(),
            version: None,
        };
        Box::pin(callbacks::call(
            &place.app.app,
            &caller,
            place.session,
            asked,
            PATIENCE,
        ))
    };
    let writer = place.app.app.db.write().await.unwrap();
    let mut calls = vec![call("toolu_1")];
    calls.extend((0..2 * CALLBACK_QUOTA).map(|_| call("toolu_2")));
    for call in &mut calls {
        assert!(futures::poll!(call).is_pending());
    }
    drop(writer);
    for told in futures::future::join_all(calls).await {
        assert!(matches!(told, Ok(CallbackAnswer::Done { .. })), "{told:?}");
    }
    assert_eq!(tool.calls(), 2);
}

const PATIENCE: Duration = Duration::from_secs(30);
const ANSWER: &str = r#"{"result": "Saved.", "data": {"snapshotId": "s1", "target": "session"}}"#;

async fn two_sessions_may_use_the_same_id(backend: Backend) {
    let tool = FakeTool::new(Behaviour::Leaves("tool_answer", ANSWER));
    let builder = TestApp::builder(backend).builtin("save_snapshot", tool.clone());
    let place = Place::open(builder, "coding").await;
    place
        .call("save_snapshot", "t1", json!({}))
        .await
        .expect(200);
    let other: SessionId = id(&create(&place.app, json!({})).await).parse().unwrap();
    let agent = place.app.sandbox(other).await;
    let body = json!({"tool_call_id": "t1", "args": {}});
    let path = format!("/proliferate/{other}/tools/save_snapshot");
    agent.post(&path, body.clone()).await.expect(200);
    assert_eq!(tool.calls(), 2);
    let foreign = agent.post(&place.path("save_snapshot"), body).await;
    foreign.expect_problem(404, "NOT_FOUND");
}

async fn what_takes_long_is_joined(backend: Backend) {
    let tool = FakeTool::new(Behaviour::Ignores);
    let place = Place::hasty(backend, &tool).await;
    let under_way = place.call("save_snapshot", "t1", json!({})).await;
    assert_eq!(under_way.expect(202)["success"], false);
    assert_eq!(under_way.header("retry-after"), Some("1"));
    let again = place.call("save_snapshot", "t1", json!({})).await;
    again.expect(202);
    assert_eq!(tool.calls(), 1);
}

async fn a_failure_is_told_and_stays(backend: Backend) {
    let failure = Failure::Tool {
        reason: "the disk is full",
        retryable: true,
    };
    let tool = FakeTool::new(Behaviour::Fails(failure));
    let builder = TestApp::builder(backend).builtin("save_snapshot", tool.clone());
    let place = Place::open(builder, "coding").await;
    let failed = json!({"success": false, "result": "the disk is full"});
    for _ in 0..2 {
        let answer = place.call("save_snapshot", "t1", json!({})).await;
        assert_eq!(answer.expect(200), failed);
    }
    assert_eq!(tool.calls(), 1);
    let rows = place.rows().await;
    assert_eq!(rows, [("failed".to_owned(), "save_snapshot".to_owned())]);
}

async fn a_tool_of_another_mode_is_denied(backend: Backend) {
    let place = Place::open(TestApp::builder(backend), "coding").await;
    let denied = place.call("save_service_commands", "t1", commands()).await;
    denied.expect_problem(403, "FORBIDDEN");
    let body = json!({"tool_call_id": "t1", "args": {}});
    for client in [place.app.owner(), place.app.member()] {
        let refused = client
            .post(&place.path("save_snapshot"), body.clone())
            .await;
        refused.expect_problem(403, "FORBIDDEN");
    }
    assert_eq!(place.rows().await, []);
}

async fn what_is_wrong_is_named(backend: Backend) {
    let place = Place::setup(backend).await;
    let nameless = json!({"commands": [{"command": "npm start"}]});
    for (tool, call, args, field) in [
        (
            "save_service_commands",
            "t1",
            nameless,
            "args.commands[0].name",
        ),
        (
            "save_service_commands",
            "t1",
            json!({"commands": []}),
            "args.commands",
        ),
        ("save_service_commands", "", commands(), "tool_call_id"),
        ("save_service_commands", "a b", commands(), "tool_call_id"),
        (
            "save_env_files",
            "t1",
            json!({"files": [{"workspacePath": "app", "path": "../x", "format": "dotenv", "mode": "secret",
            "keys": [{"key": "A", "required": true}]}]}),
            "args.files[0].path",
        ),
    ] {
        let answer = place.call(tool, call, args).await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], field);
    }
    for unknown in ["rm", "request_env_variables", "save_snapshot2"] {
        let answer = place.call(unknown, "t1", json!({})).await;
        answer.expect_problem(404, "NOT_FOUND");
    }
    let body = json!({"tool_call_id": "t1", "args": commands()});
    let old = place.agent.post(&place.path("save_service_commands"), body);
    let old = old.header("x-proliferate-tool-version", "0").await;
    old.expect_problem(409, "CONFLICT");
    assert_eq!(place.rows().await, []);
}

async fn the_eleventh_in_an_hour_is_too_many(backend: Backend) {
    let place = Place::setup(backend).await;
    for number in 0..10 {
        let call = format!("t{number}");
        let saved = place.call("save_service_commands", &call, commands()).await;
        assert_eq!(saved.expect(200)["success"], true);
    }
    let refused = place.call("save_service_commands", "t10", commands()).await;
    let refused = refused.expect(200);
    assert_eq!(refused["success"], false);
    let text = refused["result"].as_str().unwrap();
    assert!(text.contains("10 times an hour"), "{text}");
    // What was answered stays answered.
    let again = place.call("save_service_commands", "t3", commands()).await;
    assert_eq!(again.expect(200)["success"], true);
    place.app.clock.advance(Duration::from_hours(1));
    let saved = place.call("save_service_commands", "t11", commands()).await;
    assert_eq!(saved.expect(200)["success"], true);
}

async fn the_other_route_speaks_its_own_words(backend: Backend) {
    let place = Place::setup(backend).await;
    let send = async |tool: &str, call: &str| {
        let body = json!({"session_id": place.session.to_string(), "tool_call_id": call,
            "params": if tool == "save_snapshot" { json!({}) } else { commands() }});
        place
            .agent
            .post(&format!("/internal/tools/{tool}"), body)
            .await
    };
    let saved = send("save_service_commands", "t1").await.expect(200);
    assert_eq!(saved["result"]["commandCount"], 1);
    // The same call by the other route is the same call.
    let same = place.call("save_service_commands", "t1", commands()).await;
    assert_eq!(same.expect(200)["data"]["commandCount"], 1);
    assert_eq!(place.rows().await.len(), 1);
    let failed = send("save_snapshot", "t2").await.expect(500);
    assert_eq!(failed["error"], "dependency_down");
    for number in 1..10 {
        send("save_service_commands", &format!("u{number}"))
            .await
            .expect(200);
    }
    let many = send("save_service_commands", "u10").await.expect(429);
    assert_eq!(many["error"], "quota_exceeded");
}

async fn a_tool_of_a_sandbox_has_no_other_way_in(backend: Backend) {
    let place = Place::setup(backend).await;
    let body = json!({"tool_name": "save_snapshot", "operation": "save_snapshot",
        "lane_id": "SESSION_SETUP", "scope": {"session_id": place.session.to_string()}});
    let answer = place.agent.post("/v1/tool-calls", body).await;
    assert_eq!(answer.status, 400, "{}", answer.text());
    assert!(
        answer.text().contains("called in its session"),
        "{}",
        answer.text()
    );
}

async fn what_a_dead_process_left_is_told_as_a_failure(backend: Backend) {
    let tool = FakeTool::new(Behaviour::Ignores);
    let place = Place::hasty(backend, &tool).await;
    place
        .call("save_snapshot", "t1", json!({}))
        .await
        .expect(202);
    place.app.clock.advance(Duration::from_hours(1));
    assert_eq!(app::mediation::sweep(&place.app.app).await.unwrap(), 1);
    let told = place
        .call("save_snapshot", "t1", json!({}))
        .await
        .expect(200);
    assert_eq!(told["success"], false);
    let text = told["result"].as_str().unwrap();
    assert!(
        text.contains("whether it had its effect is not known"),
        "{text}"
    );
    let rows = place.rows().await;
    assert_eq!(rows, [("failed".to_owned(), "save_snapshot".to_owned())]);
}
