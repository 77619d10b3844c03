//! Small things that several files of tests need.

use serde_json::{Value, json};
use testkit::app::{Person, TestApp};

pub(crate) const SESSIONS: &str = "/proliferate/sessions";
/// The id of nothing.
pub(crate) const UNKNOWN_ID: &str = "0192f0c1-2345-7abc-8def-0123456789ab";

/// The id of what an answer shows.
#[track_caller]
pub(crate) fn id(answer: &Value) -> String {
    let id = answer.get("sessionId").or(answer.get("id"));
    id.and_then(Value::as_str).expect("an id").to_owned()
}

/// The ids of a page.
pub(crate) fn ids(page: &Value) -> Vec<String> {
    page["items"]
        .as_array()
        .expect("a page")
        .iter()
        .map(id)
        .collect()
}

/// A new session of acme's.
pub(crate) async fn create(app: &TestApp, body: Value) -> Value {
    app.owner().post(SESSIONS, body).await.expect(201)
}

/// A new repository of acme's.
pub(crate) async fn repo(app: &TestApp, name: &str) -> String {
    let body = json!({"name": name, "source": "local"});
    id(&app.owner().post("/v1/repos", body).await.expect(201))
}

/// A new configuration of acme's.
pub(crate) async fn configuration(app: &TestApp, body: Value) -> String {
    id(&app
        .owner()
        .post("/v1/configurations", body)
        .await
        .expect(201))
}

/// A new connection of the person's organization.
pub(crate) async fn integration(app: &TestApp, person: Person, token: &str) -> String {
    let body = json!({"integrationId": "linear", "token": token});
    id(&app
        .person(person)
        .post("/v1/integrations", body)
        .await
        .expect(201))
}
