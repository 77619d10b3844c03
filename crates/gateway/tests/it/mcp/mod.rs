//! The gateway as an MCP server: in process, and by programs that the project did not write.

mod calls;
mod programs;
mod protocol;
mod tools;
mod waiting;

use serde_json::{Value, json};
use testkit::app::{Call, Client, TestResponse};

use crate::actions::desk::Desk;

/// A message of JSON-RPC.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it reads better where it is called"
)]
fn message(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

fn path(desk: &Desk) -> String {
    format!("/proliferate/{}/mcp", desk.session)
}

fn post(client: &Client, path: &str, body: Value) -> Call {
    let both = "application/json, text/event-stream";
    client.post(path, body).header("accept", both)
}

/// The result of a request.
async fn ask(desk: &Desk, method: &str, params: Value) -> Value {
    let answer = post(&desk.agent, &path(desk), message(method, params)).await;
    last(&answer)["result"].clone()
}

/// The result of a tool, with its content read if it is JSON.
async fn call(desk: &Desk, tool: &str, arguments: Value) -> Value {
    ask(
        desk,
        "tools/call",
        json!({"name": tool, "arguments": arguments}),
    )
    .await
}

/// The messages of an answer in their order: the only one, or those of a stream.
#[track_caller]
fn messages(answer: &TestResponse) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    if answer.header("content-type") == Some("application/json") {
        return vec![answer.json()];
    }
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    let data = answer
        .text()
        .lines()
        .filter_map(|line| line.strip_prefix("data:"));
    let data = data.map(str::trim).filter(|data| !data.is_empty());
    data.map(|data| serde_json::from_str(data).unwrap())
        .collect()
}

/// The message that answers.
#[track_caller]
fn last(answer: &TestResponse) -> Value {
    let all = messages(answer);
    let last = all.last().expect("an answer");
    assert_eq!(last["id"], 1, "{last}");
    last.clone()
}

/// The text of a tool's result.
#[track_caller]
fn text(result: &Value) -> &str {
    assert_eq!(result["content"][0]["type"], "text", "{result}");
    result["content"][0]["text"].as_str().unwrap()
}
