//! The order and shape of events, and the same answer at once.

use axum::http::StatusCode;
use model::scripted::{Script, Scripted};
use serde_json::json;

use crate::support::{SEED, body, json_of, post, text_of, user, whole};

const PROMPT: &str = "THINK Hm.\nSAY Grüße, I list.\nCALL bash {\"command\":\"ls -l\"}\nALSO bash";

#[tokio::test]
async fn a_stream_has_the_events_of_the_api_in_their_order() {
    let model = Scripted::new(Script::default(), SEED);
    let response = post(&model, &body(&[user(PROMPT)], true)).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(
        response.headers()["content-type"],
        "text/event-stream; charset=utf-8"
    );
    let (text, is_whole) = text_of(response).await;
    assert!(is_whole);
    insta::assert_snapshot!(text);
}

#[tokio::test]
async fn a_whole_answer_says_the_same() {
    let model = Scripted::new(Script::default(), SEED);
    insta::assert_json_snapshot!(whole(&model, &[user(PROMPT)]).await);
}

#[tokio::test]
async fn the_same_seed_gives_the_same_bytes_and_ids_do_not_repeat() {
    let mut texts = Vec::new();
    for _ in 0..2 {
        let model = Scripted::new(Script::default(), SEED);
        let request = body(&[user(PROMPT)], true);
        let first = text_of(post(&model, &request).await).await.0;
        let second = text_of(post(&model, &request).await).await.0;
        assert!(first.contains("toolu_scripted_0000000000000007_0_0"));
        assert!(second.contains("toolu_scripted_0000000000000007_1_0"));
        texts.push((first, second));
    }
    assert_eq!(texts[0], texts[1]);
}

#[tokio::test]
async fn a_request_without_tools_gets_a_title() {
    let model = Scripted::new(Script::default(), SEED);
    let mut request = body(&[user("\nCALL bash {}\nmore")], false);
    request.as_object_mut().unwrap().remove("tools");
    let answer = json_of(post(&model, &request).await).await;
    assert_eq!(
        answer["content"],
        json!([{"type": "text", "text": "[scripted] CALL bash {}"}])
    );
    assert_eq!(answer["stop_reason"], "end_turn");
}

#[tokio::test]
async fn errors_are_in_the_envelope_of_the_api() {
    let model = Scripted::with_key(Script::default(), SEED, Some("right".into()));
    let response = post(&model, &body(&[user("SAY x")], true)).await;
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(
        json_of(response).await,
        json!({"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}})
    );
    let model = Scripted::new(Script::default(), SEED);
    for request in [
        json!({}),
        json!({"model": "m", "max_tokens": 1, "messages": []}),
    ] {
        let response = post(&model, &request).await;
        assert_eq!(response.status(), StatusCode::BAD_REQUEST);
        let error = json_of(response).await;
        assert_eq!(error["error"]["type"], "invalid_request_error");
    }
    assert_eq!(model.requests().len(), 0);
}
