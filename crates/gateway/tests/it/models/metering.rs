//! Usage is counted for the session, also if the client disconnects early.

use axum::body::Bytes;
use serde_json::{Value, json};
use testkit::{app::TestApp, database::Backend};
use tokio_util::sync::CancellationToken;

use super::{COST, Canned, MESSAGES, Provider, SOON, ask, asked, session, usage, usage_of};

testkit::on_both_databases!(
    whole_answers_and_streams_are_counted_by_what_they_say,
    what_an_agent_has_had_is_counted_before_it_has_the_end,
    who_leaves_in_the_middle_ends_the_request_and_is_counted,
    who_leaves_before_the_beginning_ends_the_request_and_is_counted,
    an_error_in_the_place_of_an_answer_is_not_counted,
    nothing_is_lost_when_many_count_at_once,
);

fn event(data: &Value) -> Bytes {
    format!(
        "event: {}\ndata: {data}\n\n",
        data["type"].as_str().unwrap()
    )
    .into()
}

fn begun() -> Bytes {
    event(&json!({"type": "message_start", "message": {"usage": {
        "input_tokens": 100, "cache_creation_input_tokens": 200, "cache_read_input_tokens": 4000,
        "output_tokens": 1}}}))
}

fn said(text: &str) -> Bytes {
    event(
        &json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
    )
}

fn ended() -> Bytes {
    event(
        &json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 50}}),
    )
}

/// What a stream of these costs: input, output, written to the cache, read from it.
const STREAM_COST: i64 = 100 * 5 + 50 * 25 + 200 * 25 / 4 + 4000 / 2;

async fn sent(served: &testkit::app::Served, key: &str) -> reqwest::Response {
    let asking = reqwest::Client::new()
        .post(served.url(MESSAGES))
        .header("x-api-key", key)
        .body(ask().to_string())
        .send();
    tokio::time::timeout(SOON, asking).await.unwrap().unwrap()
}

async fn ends(gone: &CancellationToken) {
    tokio::time::timeout(SOON, gone.cancelled()).await.unwrap();
}

async fn whole_answers_and_streams_are_counted_by_what_they_say(backend: Backend) {
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url).start().await;
    let (id, key) = session(&app).await;
    let (_, other) = session(&app).await;
    asked(&app, &key, &ask()).await.expect(200);
    asked(&app, &other, &ask()).await.expect(200);
    let mut sonnet = ask();
    sonnet["model"] = "claude-sonnet-4-5".into();
    asked(&app, &key, &sonnet).await.expect(200);
    let (pieces, _) = provider.next_stream();
    let feeding = tokio::spawn(async move {
        // Cut where it hurts.
        let all = [begun(), said("Hello"), ended()].concat();
        for piece in all.chunks(7) {
            pieces.send(Bytes::copy_from_slice(piece)).await.unwrap();
        }
    });
    assert_eq!(asked(&app, &key, &ask()).await.status, 200);
    feeding.await.unwrap();
    let counted = usage(&app, id).await;
    insta::assert_json_snapshot!("usage", counted, {".sessionId" => "(session)"});
    assert_eq!(
        counted["total"]["costMicroUsd"],
        COST + STREAM_COST + 10 * 3 + 20 * 15
    );
}

async fn what_an_agent_has_had_is_counted_before_it_has_the_end(backend: Backend) {
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url).start().await;
    let (id, key) = session(&app).await;
    let served = app.serve().await;
    let (pieces, gone) = provider.next_stream();
    let mut answer = sent(&served, &key).await;
    for piece in [begun(), ended()] {
        pieces.send(piece.clone()).await.unwrap();
        assert_eq!(answer.chunk().await.unwrap(), Some(piece));
    }
    // The stream is still open, as it is for a client that leaves with the last event.
    let counted = usage(&app, id).await;
    assert_eq!(counted["total"]["costMicroUsd"], STREAM_COST);
    assert_eq!(counted["total"]["requests"], 1);
    drop(answer);
    ends(&gone).await;
    app.app.models.settled().await;
    assert_eq!(usage(&app, id).await, counted, "and not a second time");
}

async fn who_leaves_in_the_middle_ends_the_request_and_is_counted(backend: Backend) {
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url).start().await;
    let (id, key) = session(&app).await;
    let served = app.serve().await;
    let (pieces, gone) = provider.next_stream();
    let mut answer = sent(&served, &key).await;
    for piece in [begun(), said(&"x".repeat(4000))] {
        pieces.send(piece.clone()).await.unwrap();
        assert_eq!(answer.chunk().await.unwrap(), Some(piece));
    }
    assert!(!gone.is_cancelled());
    drop(answer);
    ends(&gone).await;
    let total = &usage_of(&app, id, 1).await["total"];
    assert_eq!(total["estimatedRequests"], 1);
    assert_eq!(total["inputTokens"], 100);
    assert_eq!(total["cacheReadTokens"], 4000);
    let output = total["outputTokens"].as_i64().unwrap();
    assert!((1000..1010).contains(&output), "{output}");
}

async fn who_leaves_before_the_beginning_ends_the_request_and_is_counted(backend: Backend) {
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url).start().await;
    let (id, key) = session(&app).await;
    let served = app.serve().await;
    let gone = CancellationToken::new();
    provider.next(Canned::Never(gone.clone()));
    let asking = tokio::spawn({
        let (url, body) = (served.url(MESSAGES), ask().to_string());
        async move {
            let client = reqwest::Client::new();
            client
                .post(url)
                .header("x-api-key", key)
                .body(body)
                .send()
                .await
        }
    });
    let arrived = async {
        while provider.requests().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(SOON, arrived).await.unwrap();
    asking.abort();
    ends(&gone).await;
    let total = &usage_of(&app, id, 1).await["total"];
    assert_eq!(total["estimatedRequests"], 1);
    assert_eq!(total["inputTokens"], ask().to_string().len() / 4);
    assert_eq!(total["outputTokens"], 0);
}

async fn an_error_in_the_place_of_an_answer_is_not_counted(backend: Backend) {
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url).start().await;
    let (id, key) = session(&app).await;
    for status in [400, 429, 500, 529] {
        let body = json!({"type": "error", "error": {"type": "x_error", "message": "no"}});
        provider.next(Canned::Whole(status, vec![], body.to_string()));
        assert_eq!(asked(&app, &key, &ask()).await.status, status);
    }
    assert_eq!(usage(&app, id).await["total"]["costMicroUsd"], 0);
    assert_eq!(usage(&app, id).await["total"]["requests"], 0);
}

async fn nothing_is_lost_when_many_count_at_once(backend: Backend) {
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url).start().await;
    let (id, key) = session(&app).await;
    let body = ask();
    let all = (0..24).map(|_| asked(&app, &key, &body));
    for answer in futures::future::join_all(all).await {
        answer.expect(200);
    }
    let total = &usage(&app, id).await["total"];
    assert_eq!(total["requests"], 24);
    assert_eq!(total["costMicroUsd"], 24 * COST);
}
