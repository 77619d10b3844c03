//! Faults: as often and at the position that was requested.

use axum::http::StatusCode;
use model::scripted::{Fault, Script, Scripted};

use crate::support::{SEED, body, json_of, post, text_of, user};

#[tokio::test]
async fn an_error_comes_as_often_as_it_is_asked_for_and_then_the_answer() {
    let model = Scripted::new(Script::default(), SEED);
    let request = body(&[user("ERR 529 2 1500\nSAY at last")], true);
    for _ in 0..2 {
        let response = post(&model, &request).await;
        assert_eq!(response.status().as_u16(), 529);
        assert_eq!(response.headers()["retry-after"], "2");
        assert_eq!(response.headers()["retry-after-ms"], "1500");
        let error = json_of(response).await;
        assert_eq!(error["error"]["type"], "overloaded_error");
    }
    let response = post(&model, &request).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(model.requests().len(), 3);
}

#[tokio::test]
async fn a_stream_breaks_where_it_is_told_to() {
    let model = Scripted::new(Script::default(), SEED);
    let dropped = body(
        &[user("DROP 2\nSAY a long text that has many pieces")],
        true,
    );
    let (text, is_whole) = text_of(post(&model, &dropped).await).await;
    assert!(!is_whole);
    assert_eq!(
        text.matches("event: content_block_delta").count(),
        2,
        "{text}"
    );
    assert!(text_of(post(&model, &dropped).await).await.1);

    let broken = body(
        &[user("BREAK 1\nSAY a long text that has many pieces")],
        true,
    );
    let (text, is_whole) = text_of(post(&model, &broken).await).await;
    assert!(is_whole);
    assert!(text.trim_end().ends_with(
        "event: error\ndata: {\"error\":{\"message\":\"Overloaded\",\"type\":\"overloaded_error\"},\"type\":\"error\"}"
    ), "{text}");
    assert!(!text.contains("message_stop"));
}

#[tokio::test(start_paused = true)]
async fn a_pause_is_as_long_as_it_is_asked_for() {
    let model = Scripted::new(Script::default(), SEED);
    #[expect(
        clippy::disallowed_methods,
        reason = "time stands still but for the pauses"
    )]
    let now = tokio::time::Instant::now;
    let began = now();
    let slow = body(
        &[user(
            "WAIT 500\nSLOW 100\nSAY a long text that has many pieces",
        )],
        true,
    );
    let (text, _) = text_of(post(&model, &slow).await).await;
    let pieces = u64::try_from(text.matches("event: content_block_delta").count()).unwrap();
    assert_eq!(began.elapsed().as_millis(), u128::from(500 + 100 * pieces));

    let hung = body(
        &[user("HANG 1\nSAY a long text that has many pieces")],
        true,
    );
    let began = now();
    let (text, is_whole) = text_of(post(&model, &hung).await).await;
    assert!(!is_whole && text.matches("event: content_block_delta").count() == 1);
    assert_eq!(began.elapsed(), domain::limits::SCRIPT_PAUSE_MAX);
}

#[tokio::test]
async fn a_fault_from_outside_hits_the_next_request_and_no_title() {
    let model = Scripted::new(Script::default(), SEED);
    let code = 400;
    let retry_after_ms = None;
    assert!(model.fail_next(Fault::Status {
        code,
        retry_after_ms
    }));
    let request = body(&[user("SAY hello")], true);
    let mut title = request.clone();
    title["tools"] = serde_json::json!([]);
    assert_eq!(post(&model, &title).await.status(), StatusCode::OK);
    assert_eq!(
        post(&model, &request).await.status(),
        StatusCode::BAD_REQUEST
    );
    assert_eq!(post(&model, &request).await.status(), StatusCode::OK);
}
