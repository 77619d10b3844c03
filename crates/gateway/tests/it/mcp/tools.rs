//! What is listed, and to whom.

use domain::id::SessionId;
use serde_json::{Value, json};
use testkit::{
    app::TestApp,
    database::Backend,
    standin::mcp::{McpServer, tool},
};

use super::{Desk, ask, last, message, path, post};
use crate::support::{create, id};

testkit::on_both_databases!(
    actions_are_tools_and_danger_is_not_shown,
    a_session_has_its_own_tools_and_no_others,
    a_connectors_tools_are_listed_in_pages,
);

fn names(result: &Value) -> Vec<&str> {
    let tools = result["tools"].as_array().expect("tools");
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect()
}

async fn actions_are_tools_and_danger_is_not_shown(backend: Backend) {
    let desk = Desk::open(backend).await;
    let listed = ask(&desk, "tools/list", json!({})).await;
    assert_eq!(
        names(&listed),
        [
            "linear__add_comment",
            "linear__create_issue",
            "linear__get_issue",
            "linear__list_issues",
            "linear__list_teams",
            "linear__search_issues",
            "linear__update_issue",
            "proliferate__wait_for_action",
        ]
    );
    assert!(listed["nextCursor"].is_null());
    let tool = |name: &str| {
        let tools = listed["tools"].as_array().unwrap();
        tools.iter().find(|tool| tool["name"] == name).unwrap()
    };
    let write = tool("linear__create_issue");
    assert_eq!(write["inputSchema"]["required"], json!(["teamId", "title"]));
    assert_eq!(write["title"], "Linear: create issue");
    let hints = |tool: &Value| {
        let hints = &tool["annotations"];
        [
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint",
        ]
        .map(|name| hints[name].as_bool().unwrap())
    };
    assert_eq!(hints(write), [false, false, false, true]);
    assert_eq!(hints(tool("linear__get_issue")), [true, false, true, true]);
}

async fn a_session_has_its_own_tools_and_no_others(backend: Backend) {
    let desk = Desk::open(backend).await;
    let asked = desk.ask("Of the first").await;
    let second: SessionId = id(&create(&desk.app, json!({})).await).parse().unwrap();
    let agent = desk.app.sandbox(second).await;
    let own = format!("/proliferate/{second}/mcp");
    let listed = post(&agent, &own, message("tools/list", json!({}))).await;
    assert_eq!(
        names(&last(&listed)["result"]),
        ["proliferate__wait_for_action"]
    );
    let params = json!({"name": "linear__list_teams", "arguments": {}});
    let called = post(&agent, &own, message("tools/call", params)).await;
    assert_eq!(last(&called)["error"]["code"], -32602);
    let params = json!({"name": "proliferate__wait_for_action",
        "arguments": {"invocationId": asked["id"]}});
    for client in [&agent, &desk.app.owner()] {
        let waited = post(client, &own, message("tools/call", params.clone())).await;
        let result = &last(&waited)["result"];
        assert_eq!(result["isError"], true, "{result}");
    }
    let stranger = post(&agent, &path(&desk), message("tools/list", json!({}))).await;
    stranger.expect_problem(404, "NOT_FOUND");
    let foreigner = desk.app.foreigner();
    let foreign = post(&foreigner, &path(&desk), message("tools/list", json!({}))).await;
    foreign.expect_problem(404, "NOT_FOUND");
    assert!(desk.linear.requests().is_empty());
}

async fn a_connectors_tools_are_listed_in_pages(backend: Backend) {
    let server = McpServer::start().await;
    let read = json!({"readOnlyHint": true});
    let tools = (0..120).map(|n| tool(&format!("look_{n:03}"), &read));
    let mut tools: Vec<Value> = tools.collect();
    tools.push(tool("drop", &json!({"destructiveHint": true})));
    server.set(|knobs| knobs.tools = tools);
    let app = TestApp::builder(backend)
        .reach(&server.host())
        .start()
        .await;
    let body = json!({"name": "Our Docs (beta)", "url": server.url(), "trusted": true});
    app.owner().post("/v1/connectors", body).await.expect(201);
    let session: SessionId = id(&create(&app, json!({})).await).parse().unwrap();
    let agent = app.sandbox(session).await;
    let path = format!("/proliferate/{session}/mcp");
    let (mut all, mut pages, mut params) = (Vec::new(), Vec::new(), json!({}));
    loop {
        let answer = post(&agent, &path, message("tools/list", params)).await;
        let page = last(&answer)["result"].clone();
        pages.push(names(&page).len());
        all.extend(names(&page).into_iter().map(str::to_owned));
        let Some(cursor) = page["nextCursor"].as_str() else {
            break;
        };
        params = json!({"cursor": cursor});
    }
    assert_eq!(pages, [50, 50, 21]);
    assert_eq!(all[7], "our_docs_beta__look_007");
    assert!(all.is_sorted() && all.iter().all(|name| !name.contains("drop")));
    let params = json!({"name": all[7], "arguments": {"text": "x"}});
    let called = post(&agent, &path, message("tools/call", params)).await;
    assert_eq!(
        last(&called)["result"]["isError"],
        false,
        "{}",
        called.text()
    );
    assert_eq!(server.effects().len(), 1);
}
