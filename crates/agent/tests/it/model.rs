//! A scripted model. A message holds its script: a line `CALL tool {json}` is a tool call, any number of them
//! at once; without one the model says `done`. After results it says `done`, too.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU32, Ordering},
};

use axum::{
    Router, body::Bytes, extract::State, http::HeaderMap, response::IntoResponse, routing::any,
};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) key: Option<String>,
    pub(crate) body: Value,
}

#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) url: String,
    script: Arc<Script>,
    server: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Script {
    asked: Mutex<Vec<Asked>>,
    calls: AtomicU32,
}

impl Model {
    pub(crate) async fn start() -> Self {
        let script = Arc::<Script>::default();
        let router = Router::new()
            .fallback(any(answer))
            .with_state(Arc::clone(&script));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            url,
            script,
            server,
        }
    }

    /// The requests whose conversation holds this text.
    pub(crate) fn asked_about(&self, text: &str) -> Vec<Asked> {
        let asked = self.script.asked.lock().unwrap();
        let about = |asked: &&Asked| asked.body["messages"].to_string().contains(text);
        asked.iter().filter(about).cloned().collect()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Asked {
    /// The system text, all blocks together.
    pub(crate) fn system(&self) -> String {
        match &self.body["system"] {
            Value::String(text) => text.clone(),
            blocks => {
                let blocks = blocks.as_array().into_iter().flatten();
                let texts: Vec<_> = blocks.filter_map(|block| block["text"].as_str()).collect();
                texts.join("\n")
            }
        }
    }

    pub(crate) fn tool(&self, name: &str) -> Option<&Value> {
        let mut tools = self.body["tools"].as_array().into_iter().flatten();
        tools.find(|tool| tool["name"] == name)
    }

    /// The results that end the conversation so far.
    pub(crate) fn results(&self) -> Vec<Value> {
        let last = self.body["messages"]
            .as_array()
            .and_then(|messages| messages.last());
        let blocks = last
            .and_then(|message| message["content"].as_array())
            .into_iter()
            .flatten();
        blocks
            .filter(|block| block["type"] == "tool_result")
            .cloned()
            .collect()
    }
}

async fn answer(
    State(script): State<Arc<Script>>,
    uri: axum::http::Uri,
    headers: HeaderMap,
    body: Bytes,
) -> impl IntoResponse {
    let key = headers.get("x-api-key").and_then(|key| key.to_str().ok());
    let asked = Asked {
        path: uri.path().to_owned(),
        key: key.map(str::to_owned),
        body: serde_json::from_slice(&body).unwrap_or_default(),
    };
    script.asked.lock().unwrap().push(asked.clone());
    let blocks = blocks(&script, &asked);
    (
        [("content-type", "text/event-stream")],
        stream(&asked, &blocks),
    )
}

fn blocks(script: &Script, asked: &Asked) -> Vec<Value> {
    let messages = asked.body["messages"].as_array();
    let last = messages
        .and_then(|messages| messages.last())
        .cloned()
        .unwrap_or_default();
    let text = match &last["content"] {
        Value::String(text) => text.clone(),
        // The last block decides: old results and a new message may share one turn.
        blocks => blocks[blocks.as_array().map_or(0, Vec::len).saturating_sub(1)]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
    };
    let has_tools = asked.body["tools"]
        .as_array()
        .is_some_and(|tools| !tools.is_empty());
    let calls = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("CALL "));
    let calls: Vec<_> = calls
        .filter(|_| has_tools)
        .map(|call| {
            let (name, input) = call.split_once(' ').unwrap_or((call, "{}"));
            let number = script.calls.fetch_add(1, Ordering::Relaxed);
            let input: Value = serde_json::from_str(input).unwrap();
            json!({"type": "tool_use", "id": format!("toolu_{}_{number}", std::process::id()), "name": name, "input": input})
        })
        .collect();
    if calls.is_empty() {
        return vec![json!({"type": "text", "text": "done"})];
    }
    calls
}

/// The events of the Messages API for these blocks.
fn stream(asked: &Asked, blocks: &[Value]) -> String {
    let calls = blocks.iter().any(|block| block["type"] == "tool_use");
    let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": asked.body["model"],
        "content": [], "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 1, "output_tokens": 1}});
    let mut events = vec![json!({"type": "message_start", "message": message})];
    for (index, block) in blocks.iter().enumerate() {
        let (start, delta) = if block["type"] == "text" {
            (
                json!({"type": "text", "text": ""}),
                json!({"type": "text_delta", "text": block["text"]}),
            )
        } else {
            let start =
                json!({"type": "tool_use", "id": block["id"], "name": block["name"], "input": {}});
            (
                start,
                json!({"type": "input_json_delta", "partial_json": block["input"].to_string()}),
            )
        };
        events.push(json!({"type": "content_block_start", "index": index, "content_block": start}));
        events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    let reason = if calls { "tool_use" } else { "end_turn" };
    events.push(
        json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
        "usage": {"output_tokens": 2}}),
    );
    events.push(json!({"type": "message_stop"}));
    let line = |event: &Value| {
        format!(
            "event: {}\ndata: {event}\n\n",
            event["type"].as_str().unwrap()
        )
    };
    events.iter().map(line).collect()
}
