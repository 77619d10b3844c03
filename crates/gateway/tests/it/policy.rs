//! What the policy says, over HTTP.

use axum::http::Method;
use serde_json::json;
use testkit::{app::TestApp, database::Backend};

testkit::on_both_databases!(versions_are_listed_and_compared);

#[tokio::test]
async fn the_policy_is_one_document_with_its_pins() {
    let app = TestApp::start(Backend::Sqlite).await;
    let policy = app.member().get("/v1/policy").await.expect(200);
    assert_eq!(policy["id"].as_str().unwrap().len(), 64);
    for file in ["lanes", "roles", "tools"] {
        assert_eq!(policy["pins"][file]["sha256"].as_str().unwrap().len(), 64);
        assert!(!policy[file].as_array().unwrap().is_empty(), "{file}");
    }
    // Every name that a lane uses exists.
    let names = |list: &str, field: &str| -> Vec<String> {
        let items = policy[list].as_array().unwrap().iter();
        items
            .map(|item| item[field].as_str().unwrap().to_owned())
            .collect()
    };
    let (roles, tools) = (names("roles", "id"), names("tools", "operation"));
    for lane in policy["lanes"].as_array().unwrap() {
        for role in lane["roles"].as_array().unwrap() {
            assert!(roles.iter().any(|name| name == role), "{role}");
        }
        for tool in lane["tools"].as_array().unwrap() {
            assert!(tools.iter().any(|name| name == tool), "{tool}");
        }
    }
}

#[tokio::test]
async fn who_can_and_why_agree_with_each_other() {
    let app = TestApp::start(Backend::Sqlite).await;
    let member = app.member();
    let policy = member.get("/v1/policy").await.expect(200);
    let lanes = policy["lanes"].as_array().unwrap();
    let lane = lanes
        .iter()
        .find(|lane| !lane["tools"].as_array().unwrap().is_empty())
        .unwrap();
    let tool = lane["tools"][0].as_str().unwrap();
    let path = format!("/v1/policy/who-can?tool={tool}");
    let answer = member.get(&path).await.expect(200);
    assert_eq!(answer["tool"], tool);
    assert_eq!(answer["enabled"], true);
    let way = &answer["ways"][0];
    let scope: serde_json::Map<_, _> = way["requires"]
        .as_array()
        .unwrap()
        .iter()
        .map(|key| (key.as_str().unwrap().to_owned(), json!("x")))
        .collect();
    let asked = json!({"role": way["role"], "lane": way["lane"], "tool": tool, "scope": scope});
    let why = member.post("/v1/policy/why", asked).await.expect(200);
    assert_eq!(why["allowed"], true, "{why}");
    assert_eq!(why["failed"], json!([]));
    let asked = json!({"role": way["role"], "tool": tool});
    let why = member.post("/v1/policy/why", asked).await.expect(200);
    assert_eq!(why["allowed"], false);
    let rules: Vec<_> = why["failed"].as_array().unwrap().iter().collect();
    assert!(rules.iter().any(|check| check["rule"] == why["rule"]));
    assert!(!rules[0]["meaning"].as_str().unwrap().is_empty());
}

#[tokio::test]
async fn questions_that_make_no_sense_name_the_field() {
    let app = TestApp::start(Backend::Sqlite).await;
    let member = app.member();
    let answer = member.get("/v1/policy/who-can?tool=no.such").await;
    answer.expect_problem(404, "NOT_FOUND");
    let answer = member.get("/v1/policy/who-can").await;
    answer.expect_problem(400, "INVALID_REQUEST");
    for (body, field) in [
        (json!({"role": "", "tool": "ocr.extract"}), "role"),
        (json!({"role": "CASE_AGENT", "tool": "no dots"}), "tool"),
        (
            json!({"role": "CASE_AGENT", "tool": "a.b", "lane": ""}),
            "lane",
        ),
        (
            json!({"role": "CASE_AGENT", "tool": "a.b", "scope": {"nope": "x"}}),
            "scope",
        ),
        (
            json!({"role": "CASE_AGENT", "tool": "a.b", "write": {"table": "t", "mode": "nope"}}),
            "write.mode",
        ),
        (json!({"tool": "a.b"}), "role"),
    ] {
        let answer = member.post("/v1/policy/why", body.clone()).await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], field, "{body}");
    }
}

async fn versions_are_listed_and_compared(backend: Backend) {
    let app = TestApp::start(backend).await;
    let owner = app.owner();
    let policy = owner.get("/v1/policy").await.expect(200);
    let id = policy["id"].as_str().unwrap();
    // It is stored from the start, for verifying its decisions.
    let versions = owner.get("/v1/policy/versions").await.expect(200);
    let since = versions["items"][0]["firstUsedAt"].as_str().unwrap();
    let expected = json!([{"id": id, "firstUsedAt": since, "current": true,
        "lanesSha256": policy["pins"]["lanes"]["sha256"], "rolesSha256": policy["pins"]["roles"]["sha256"],
        "toolsSha256": policy["pins"]["tools"]["sha256"]}]);
    assert_eq!(versions["items"], expected);
    let run = owner.post("/v1/runs", json!({ "run_kind": "agent" })).await;
    run.expect(201);
    let versions = owner.get("/v1/policy/versions").await.expect(200);
    assert_eq!(versions["items"], expected);
    for query in [format!("from={id}"), format!("from={id}&to={id}")] {
        let path = format!("/v1/policy/diff?{query}");
        let diff = owner.get(&path).await.expect(200);
        assert_eq!(diff["changes"], json!([]));
    }
    for query in ["from=nope".to_owned(), format!("from={}", "0".repeat(64))] {
        let path = format!("/v1/policy/diff?{query}");
        owner.get(&path).await.expect_problem(404, "NOT_FOUND");
    }
    let answer = owner.call(Method::GET, "/v1/policy/diff").await;
    answer.expect_problem(400, "INVALID_REQUEST");
}
