//! Asks a model through its router.

use axum::{
    body::Body,
    http::{Request, Response, StatusCode},
};
use http_body_util::BodyExt as _;
use model::scripted::Scripted;
use serde_json::{Value, json};
use tower::ServiceExt as _;

pub(crate) const SEED: u64 = 7;

pub(crate) fn user(text: &str) -> Value {
    json!({"role": "user", "content": [{"type": "text", "text": text}]})
}

/// The messages after a prompt when a tool was called and returned.
pub(crate) fn called(id: &str, tool: &str, result: &str, is_error: bool) -> [Value; 2] {
    [
        json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": tool, "input": {}}]}),
        json!({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": id, "content": result, "is_error": is_error}
        ]}),
    ]
}

pub(crate) fn body(messages: &[Value], stream: bool) -> Value {
    json!({
        "model": "claude-opus-4-6", "max_tokens": 100, "stream": stream, "messages": messages,
        "tools": [{"name": "bash", "input_schema": {"type": "object"}}],
    })
}

pub(crate) async fn post(model: &Scripted, body: &Value) -> Response<Body> {
    let request = Request::post("/v1/messages")
        .header("x-session-id", "ses_1")
        .body(Body::from(body.to_string()))
        .expect("as the API has it");
    model
        .router()
        .oneshot(request)
        .await
        .expect("as the API has it")
}

pub(crate) async fn whole(model: &Scripted, messages: &[Value]) -> Value {
    let response = post(model, &body(messages, false)).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["x-scripted-model"], "1");
    json_of(response).await
}

pub(crate) async fn json_of(response: Response<Body>) -> Value {
    let bytes = response
        .into_body()
        .collect()
        .await
        .expect("as the API has it")
        .to_bytes();
    serde_json::from_slice(&bytes).expect("as the API has it")
}

/// The text of a stream, and whether it ended properly.
pub(crate) async fn text_of(response: Response<Body>) -> (String, bool) {
    let mut body = response.into_body();
    let mut text = String::new();
    while let Some(frame) = body.frame().await {
        match frame {
            Ok(frame) => {
                text.push_str(
                    std::str::from_utf8(frame.data_ref().expect("as the API has it"))
                        .expect("as the API has it"),
                );
            }
            Err(_) => return (text, false),
        }
    }
    (text, true)
}

/// Tools that an answer calls, and its first text.
pub(crate) fn brief(answer: &Value) -> (Vec<String>, String) {
    let blocks = answer["content"].as_array().expect("as the API has it");
    let calls = blocks
        .iter()
        .filter(|block| block["type"] == "tool_use")
        .map(|block| {
            format!(
                "{} {}",
                block["name"].as_str().expect("as the API has it"),
                block["input"]
            )
        })
        .collect();
    let text = blocks.iter().find_map(|block| block["text"].as_str());
    (calls, text.unwrap_or_default().to_owned())
}
