//! The scripted model, served by the test, so that it is known how often an agent was given a text. An agent whose model's
//! stream breaks asks again with the same conversation. It keeps a text that had come whole by then, and says it again in
//! the same message: the recorded stream `drop_call` in the tests of the hub shows that.

use std::sync::{Arc, Mutex};

use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    middleware::{Next, from_fn_with_state},
    response::Response,
};
use domain::event_stream::EventStreamParser;
use domain::limits::MODEL_REQUEST_BYTES_MAX;
use futures::StreamExt as _;
use model::scripted::{Script, Scripted};
use serde_json::Value;
use tokio::net::TcpListener;

/// Calls of two runs must not have the same ids; of this one they may.
const SEED: u64 = 11;

/// What the model was asked, and the texts of its answer that it has sent whole.
#[derive(Debug)]
struct Answer {
    conversation: Value,
    texts: Vec<String>,
}

#[derive(Debug, Clone, Default)]
struct Answers(Arc<Mutex<Vec<Answer>>>);

pub(super) struct Model {
    pub(super) url: String,
    answers: Answers,
}

impl Model {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let answers = Answers::default();
        let router = Scripted::new(Script::default(), SEED).router();
        let router = router.layer(from_fn_with_state(answers.clone(), record));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, answers }
    }

    /// The conversations that were answered with a text that has these words.
    pub(super) fn asked_for(&self, words: &str) -> Vec<Value> {
        let answers = self.answers.0.lock().unwrap();
        let has_words = |answer: &&Answer| answer.texts.iter().any(|text| text.contains(words));
        let answers = answers.iter().filter(has_words);
        answers.map(|answer| answer.conversation.clone()).collect()
    }
}

async fn record(State(answers): State<Answers>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, MODEL_REQUEST_BYTES_MAX).await.unwrap();
    let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
    let answer = next.run(Request::from_parts(head, Body::from(body))).await;
    let at = {
        let mut answers = answers.0.lock().unwrap();
        answers.push(Answer {
            conversation: asked["messages"].clone(),
            texts: Vec::new(),
        });
        answers.len() - 1
    };
    let (mut frames, mut text) = (EventStreamParser::bounded(1 << 24), String::new());
    answer.map(|body| {
        let pieces = body.into_data_stream().inspect(move |piece| {
            let Ok(piece) = piece else { return };
            for event in frames.push(piece).unwrap() {
                let event: Value = serde_json::from_str(&event).unwrap_or_default();
                match event["type"].as_str() {
                    Some("content_block_start") => text.clear(),
                    Some("content_block_delta") => {
                        text += event["delta"]["text"].as_str().unwrap_or_default();
                    }
                    Some("content_block_stop") => {
                        let whole = std::mem::take(&mut text);
                        answers.0.lock().unwrap()[at].texts.push(whole);
                    }
                    _ => {}
                }
            }
        });
        Body::from_stream(pieces)
    })
}
