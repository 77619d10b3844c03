//! Tools that are the product's own, as their callers see them.

mod dictation;
mod export;
mod record;
mod status;

use axum::http::Method;
use serde_json::{Value, json};
use testkit::app::{Client, Person, TestResponse};

use super::desk::{CALLS, CASE, Desk, MEETING};

/// A call in the interview lane.
#[expect(
    clippy::needless_pass_by_value,
    reason = "callers write `json!({..})` in place"
)]
fn interview(operation: &str, run: &str, parameters: Value) -> Value {
    json!({
        "tool_name": operation,
        "operation": operation,
        "lane_id": "TOOL_INTERVIEW_CAPTURE",
        "case_id": CASE,
        "parent_run_id": run,
        "scope": {"client_session_id": MEETING},
        "parameters": parameters,
    })
}

/// Something of the case, as a call names it.
async fn upload(client: &Client, kind: &str, media_type: &str, text: &str) -> Value {
    let path = format!("/v1/artifacts?caseId={CASE}&kind={kind}");
    let call = client.call(Method::POST, &path);
    let made = call.body(media_type, text.to_owned()).await.expect(201);
    as_input(&made["artifact"])
}

fn as_input(artifact: &Value) -> Value {
    json!({
        "artifact_id": artifact["artifact_id"],
        "artifact_kind": artifact["artifact_kind"],
        "hash_sha256": artifact["hash_sha256"],
    })
}

async fn content(client: &Client, artifact: &Value) -> TestResponse {
    let id = artifact["artifact_id"].as_str().unwrap();
    client.get(&format!("/v1/artifacts/{id}/content")).await
}

async fn let_in(desk: &Desk, person: Person) -> Client {
    let path = format!("/v1/cases/{CASE}/members/user:{}", person.user_id());
    let added = desk.member().call(Method::PUT, &path).await;
    added.expect(204);
    desk.app.person(person)
}

async fn send(client: &Client, body: Value) -> TestResponse {
    client.post(CALLS, body).await
}

fn message(answer: &Value) -> &str {
    answer["error"]["message"].as_str().unwrap()
}
