//! A session that has spent its budget, with the real agent: paused with the reason, and gone on with when it may.

use serde_json::{Value, json};
use testkit::database::Backend;

use crate::stage::{Stage, bash, eventually, said, tool_end, until_it};

/// What any request costs and more.
const SMALLEST: i64 = 1;
const PLENTY: i64 = 1_000_000_000;

async fn give(stage: &Stage, session: &str, micro_usd: i64) -> Value {
    let path = format!("/v1/sessions/{session}/budget");
    let call = stage.app.owner().call("PUT".parse().unwrap(), &path);
    let body = json!({"budgetMicroUsd": micro_usd});
    call.json(&body).await.expect(200)
}

fn is_paused(frame: &Value) -> bool {
    let payload = &frame["payload"];
    frame["type"] == "status" && payload["status"] == "paused" && payload["message"].is_string()
}

fn message(frame: &Value) -> &str {
    frame["payload"]["message"].as_str().unwrap()
}

async fn a_session_over_its_budget_is_paused_and_goes_on_when_it_is_raised(backend: Backend) {
    let stage = Stage::set(backend).await;
    let session = stage.session(json!({})).await;
    let name = session.to_string();
    give(&stage, &name, SMALLEST).await;
    let mut frames = stage.watch(session).await;
    let owner = stage.app.owner();
    let path = format!("/proliferate/{session}/message");
    // The first request spends it, in the middle of the work; the agent is refused its second.
    let work = format!("{}\nSAY Not said.", bash("echo kept > kept.txt"));
    let say = async |text: &str| {
        let sent = owner.post(&path, json!({"content": text})).await;
        sent.expect(202);
    };
    say(&work).await;
    until_it(&mut frames, "the end of its first step", tool_end("bash")).await;
    let seen = until_it(&mut frames, "that it is paused", is_paused).await;
    let why = message(seen.last().unwrap());
    assert!(
        why.contains("on its model") && why.contains("raises its budget"),
        "{why}"
    );
    let refused = seen.iter().find(|frame| frame["type"] == "error");
    let refused = message(refused.expect("the agent shows what it was told"));
    assert!(refused.contains("paused for its budget"), "{refused}");
    eventually("the record says so too", async || {
        let shown = stage.shown(session).await;
        shown["status"] == "paused" && shown["reason"].as_str() == Some(why)
    })
    .await;
    eventually("its sandbox is saved and destroyed", async || {
        stage.sandbox(session).await.is_none()
    })
    .await;

    // What is said now waits, and nothing is brought up for it.
    say(&format!("{}\nSAY Here.", bash("cat kept.txt"))).await;
    until_it(&mut frames, "that it is still paused", is_paused).await;
    assert!(stage.sandbox(session).await.is_none());
    give(&stage, &name, SMALLEST + 1).await;

    give(&stage, &name, PLENTY).await;
    let seen = until_it(&mut frames, "what waited", said("Here.")).await;
    let kept = seen.iter().find(|frame| frame["type"] == "tool_end");
    assert_eq!(kept.unwrap()["payload"]["result"], "kept\n", "{seen:?}");
    assert_eq!(stage.shown(session).await["status"], "running");

    // Cut off once more; with nothing that waits, it goes on by itself.
    let spent = owner.get(&format!("/v1/sessions/{session}/usage")).await;
    let spent = spent.expect(200)["total"]["costMicroUsd"].as_i64().unwrap();
    until_it(&mut frames, "that it waits", |frame| {
        frame["payload"]["isIdle"] == true
    })
    .await;
    give(&stage, &name, spent + 1).await;
    say(&format!("{}\nSAY Not said.", bash("true"))).await;
    until_it(&mut frames, "that it is paused again", is_paused).await;
    give(&stage, &name, PLENTY).await;
    let goes_on = |frame: &Value| {
        let text = frame["payload"]["content"].as_str().unwrap_or_default();
        frame["type"] == "message" && text.starts_with("The budget allows more again.")
    };
    until_it(&mut frames, "that it goes on", goes_on).await;
    until_it(&mut frames, "an answer", |frame| {
        frame["type"] == "text_part_complete"
    })
    .await;
    stage.hub.fleet.close().await;
}

mod real_agent_budget {
    use testkit::database::Backend::Sqlite;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_session_over_its_budget_is_paused_and_goes_on_when_it_is_raised() {
        super::a_session_over_its_budget_is_paused_and_goes_on_when_it_is_raised(Sqlite).await;
    }
}
