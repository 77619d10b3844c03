//! The model proxy: authorization, requests to the provider, responses, and cost.

mod budget;
mod faults;
mod keys;
mod leaks;
mod metering;
mod passing;
mod provider;
mod scripted;

use std::time::Duration;

use domain::id::SessionId;
use serde_json::{Value, json};
use testkit::app::{TestApp, TestResponse};

pub(crate) use self::provider::{Canned, Provider};
use crate::support::{create, id};

pub(crate) const MESSAGES: &str = "/llm/anthropic/v1/messages";
pub(super) const COUNT: &str = "/llm/anthropic/v1/messages/count_tokens";
/// Long enough for anything that should happen.
pub(super) const SOON: Duration = Duration::from_mins(1);
/// What the provider's usual answer costs on Opus: ten tokens in, twenty out.
pub(super) const COST: i64 = 10 * 5 + 20 * 25;

/// A session and the key to its model.
pub(super) async fn session(app: &TestApp) -> (SessionId, String) {
    let id: SessionId = id(&create(app, json!({})).await).parse().unwrap();
    let key = app.model_key(id).await;
    (id, key)
}

pub(crate) fn ask() -> Value {
    json!({"model": "claude-opus-4-6", "max_tokens": 100, "messages": [{"role": "user", "content": "hi"}]})
}

/// Asks with the key where Anthropic has it.
pub(crate) async fn asked(app: &TestApp, key: &str, body: &Value) -> TestResponse {
    app.anonymous()
        .post(MESSAGES, body.clone())
        .header("x-api-key", key)
        .await
}

pub(super) async fn usage(app: &TestApp, id: SessionId) -> Value {
    let path = format!("/v1/sessions/{id}/usage");
    app.owner().get(&path).await.expect(200)
}

/// The usage, once it says so much of requests: who leaves early is counted after that.
pub(super) async fn usage_of(app: &TestApp, id: SessionId, requests: i64) -> Value {
    let counted = async {
        loop {
            let usage = usage(app, id).await;
            if usage["total"]["requests"] == requests {
                return usage;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(SOON, counted).await.unwrap()
}

/// Statuses that the agent treats as temporary, anywhere in an error.
const PASSING: [&str; 6] = ["429", "500", "502", "503", "504", "524"];

/// An error in the provider's envelope, without what differs each time. A final one has nothing that the agent would
/// try again for, such as the digits of an id.
#[track_caller]
pub(crate) fn error(answer: &TestResponse, status: u16) -> Value {
    let mut error = answer.expect(status);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let request_id = error.as_object_mut().unwrap().remove("request_id");
    let id = answer.header("x-request-id").unwrap();
    let is_final = !matches!(status, 408 | 409 | 429 | 500..);
    assert_eq!(request_id, (!is_final).then(|| id.into()));
    let text = error.to_string();
    assert!(
        !is_final || !PASSING.iter().any(|digits| text.contains(digits)),
        "{text}"
    );
    assert_eq!(error["type"], "error");
    error["error"].clone()
}
