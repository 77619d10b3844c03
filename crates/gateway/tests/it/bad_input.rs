//! Input that must be refused: each with its status, its code and the name of what is wrong, with
//! nothing written and nothing of a secret repeated. The cases are in `bad_input/`.

mod bodies;
mod headers;
mod not_json;

use axum::{body::Body, http::Method};
use testkit::{app::TestApp, database::Backend};

testkit::on_both_databases!(every_bad_input_is_refused_by_name_and_leaves_no_trace);

/// Marks where a secret could be: no response may repeat it.
const PLANTED: &str = "sk-planted-5ecre7";

const INVALID_REQUEST: (u16, &str) = (400, "INVALID_REQUEST");
const NOT_FOUND: (u16, &str) = (404, "NOT_FOUND");

struct Case {
    name: &'static str,
    method: Method,
    path: String,
    headers: Vec<(&'static str, String)>,
    body: Option<(&'static str, Vec<u8>)>,
    refusal: (u16, &'static str),
    /// What `errors` must name; empty if the problem is no member's.
    field: &'static str,
}

/// A POST of this text as JSON.
fn post(
    name: &'static str,
    path: &str,
    body: impl Into<Vec<u8>>,
    refusal: (u16, &'static str),
    field: &'static str,
) -> Case {
    Case {
        name,
        method: Method::POST,
        path: path.to_owned(),
        headers: vec![],
        body: Some(("application/json", body.into())),
        refusal,
        field,
    }
}

/// The same as a GET without a body.
fn get(case: Case) -> Case {
    Case {
        method: Method::GET,
        body: None,
        ..case
    }
}

async fn every_bad_input_is_refused_by_name_and_leaves_no_trace(backend: Backend) {
    let app = TestApp::start(backend).await;
    let before = everything(&app).await;
    let cases = [bodies::cases(), not_json::cases(), headers::cases()];
    for case in cases.into_iter().flatten() {
        check(&app, case).await;
    }
    assert_eq!(everything(&app).await, before, "something was written");
}

async fn check(app: &TestApp, case: Case) {
    let mut call = app.owner().call(case.method, &case.path);
    for (name, value) in &case.headers {
        call = call.header(name, value);
    }
    if let Some((content_type, body)) = case.body {
        call = call.body(content_type, Body::from(body));
    }
    let answer = call.await;
    let (name, (status, code)) = (case.name, case.refusal);
    assert_eq!(answer.status, status, "{name}: {}", answer.text());
    let problem = answer.expect_problem(status, code);
    assert!(!answer.text().contains(PLANTED), "{name} leaks: {problem}");
    if case.field.is_empty() {
        assert_eq!(problem.get("errors"), None, "{name}: {problem}");
    } else {
        assert_eq!(
            problem["errors"][0]["field"], case.field,
            "{name}: {problem}"
        );
    }
    let detail = problem["detail"].as_str().unwrap();
    assert!(
        !detail.is_empty() && detail.chars().count() <= 500,
        "{name}"
    );
}

/// Every list of the organization.
async fn everything(app: &TestApp) -> Vec<String> {
    let mut lists = vec![];
    for noun in [
        "sessions",
        "configurations",
        "repos",
        "secrets",
        "integrations",
        "connectors",
        "api-keys",
    ] {
        let answer = app.owner().get(&format!("/v1/{noun}?limit=100")).await;
        answer.expect(200);
        lists.push(answer.text().to_owned());
    }
    lists
}
