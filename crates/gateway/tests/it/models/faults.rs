//! The agent's view when its provider does not respond, or refuses.

use serde_json::{Value, json};
use testkit::{
    app::{MODEL_KEY, TestApp},
    database::Backend,
};

use super::{Canned, Provider, ask, asked, error, session};

testkit::on_both_databases!(
    every_fault_is_told_in_the_words_of_the_api,
    a_refusal_of_the_provider_is_passed_on_as_it_is,
    without_a_provider_there_is_no_model,
);

async fn every_fault_is_told_in_the_words_of_the_api(backend: Backend) {
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url).start().await;
    let (_, key) = session(&app).await;
    let told = json!({"type": "error", "error": {"type": "authentication_error",
        "message": format!("invalid x-api-key {MODEL_KEY}")}});
    let mut seen = Vec::new();
    for (name, status, body) in [
        ("the key is refused", 401, told.to_string()),
        ("the account is empty", 402, told.to_string()),
        ("the key may not", 403, told.to_string()),
        ("it points elsewhere", 307, String::new()),
        (
            "a page of a proxy",
            503,
            "<html>no upstream</html>".to_owned(),
        ),
        ("no words", 500, String::new()),
        ("it tells the key", 400, told.to_string()),
        (
            "it says too much",
            400,
            format!("{{\"error\":\"{}\"}}", "x".repeat(100_000)),
        ),
    ] {
        let headers = vec![("location", "http://127.0.0.1:1/")];
        provider.next(Canned::Whole(status, headers, body));
        let answer = asked(&app, &key, &ask()).await;
        assert!(!answer.text().contains(MODEL_KEY), "{name}");
        seen.push(json!({"provider": name, "status": answer.status, "error": error(&answer, answer.status)}));
    }
    insta::assert_json_snapshot!("faults", Value::from(seen));
}

async fn a_refusal_of_the_provider_is_passed_on_as_it_is(backend: Backend) {
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url).start().await;
    let (_, key) = session(&app).await;
    for status in [400, 404, 413, 429, 500, 529] {
        let body = json!({"type": "error", "error": {"type": "some_error", "message": "its own words"},
            "request_id": "req_9"});
        let headers = vec![
            ("retry-after", "7"),
            ("anthropic-ratelimit-tokens-remaining", "0"),
            ("x-own", "1"),
        ];
        provider.next(Canned::Whole(status, headers, body.to_string()));
        let answer = asked(&app, &key, &ask()).await;
        assert_eq!(answer.expect(status), body);
        assert_eq!(answer.header("retry-after"), Some("7"));
        assert_eq!(
            answer.header("anthropic-ratelimit-tokens-remaining"),
            Some("0")
        );
        assert_eq!(answer.header("x-own"), None);
    }
}

async fn without_a_provider_there_is_no_model(backend: Backend) {
    // An address without a listener.
    let app = TestApp::builder(backend)
        .model("http://127.0.0.1:1")
        .start()
        .await;
    let (_, key) = session(&app).await;
    let answer = asked(&app, &key, &ask()).await;
    assert_eq!(answer.header("retry-after"), Some("1"));
    let unreachable = error(&answer, 529);
    let app = TestApp::start(backend).await;
    let (_, key) = session(&app).await;
    let none = error(&asked(&app, &key, &ask()).await, 502);
    insta::assert_json_snapshot!(
        "no_provider",
        json!({"unreachable": unreachable, "none": none})
    );
}
