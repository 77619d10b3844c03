//! Connectors over HTTP: who keeps them, what their servers are believed, and what sessions get of them.

mod configuration;
mod definitions;
mod life;
mod server_everything;
mod session;
mod validate;

use axum::http::Method;
use serde_json::{Value, json};
use testkit::{
    app::{Client, TestApp, TestResponse},
    database::Backend,
    standin::mcp::McpServer,
};

const CONNECTORS: &str = "/v1/connectors";

/// An application that may ask the tool server beside it.
async fn beside(backend: Backend) -> (TestApp, McpServer) {
    let server = McpServer::start().await;
    let builder = TestApp::builder(backend).reach(&server.host());
    (builder.start().await, server)
}

/// A connector as a list of a configuration has it.
fn config(number: usize, url: &str) -> Value {
    let id = format!("0192f0c1-2345-7abc-8def-{number:012}");
    json!({"id": id, "name": format!("Server {number}"), "url": url, "enabled": true})
}

/// The same as it is tried out.
fn trial(config: &Value) -> Value {
    json!({ "connector": config })
}

async fn put(client: &Client, path: &str, body: Value) -> TestResponse {
    client.call(Method::PUT, path).json(&body).await
}

/// A new connector of acme's.
async fn added(app: &TestApp, body: Value) -> Value {
    app.owner().post(CONNECTORS, body).await.expect(201)
}

async fn tools(client: &Client, id: &str) -> Value {
    let path = format!("{CONNECTORS}/{id}/tools");
    client.get(&path).await.expect(200)
}

/// The tool of the name in a listing.
#[track_caller]
fn tool<'a>(listing: &'a Value, name: &str) -> &'a Value {
    let tools = listing["tools"].as_array().expect("tools");
    let found = tools.iter().find(|tool| tool["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {listing}"))
}

/// What was done, and what was not, to what has this name, oldest first.
async fn recorded(app: &TestApp, noun: &str) -> Vec<String> {
    app::audit::sign_pending(&app.app, &app.acme).await.unwrap();
    let page = app
        .owner()
        .get("/v1/audit/events?limit=100")
        .await
        .expect(200);
    let items = page["items"].as_array().unwrap().iter().rev();
    let target = |item: &Value| {
        let event = &item["record"]["event"];
        let target = &event["target"];
        let name = target["name"].as_str()?.starts_with(noun);
        let operation = target["operation"].as_str().unwrap();
        name.then(|| match event["outcome"].as_str().unwrap() {
            "success" => operation.to_owned(),
            outcome => format!("{operation} {outcome}"),
        })
    };
    items.filter_map(target).collect()
}
