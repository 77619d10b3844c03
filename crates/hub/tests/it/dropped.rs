//! A snapshot freezes the sandbox of the agent that asked for it: the connection drops, and meanwhile the gateway may be
//! another one. It is saved once, and the agent has its answer.

use std::time::Duration;

use hub::session::NewPrompt;
use serde_json::json;
use testkit::{
    database::Backend,
    process::{Blow, strike},
};
use tokio::time::{sleep, timeout};

use crate::{
    agent::PATIENCE,
    stage::{Stage, nothing_follows_an_end, said, tool_end, until, until_it},
};

async fn a_call_that_loses_its_connection_and_its_gateway_is_done_once(backend: Backend) {
    let mut stage = Stage::set(backend).await;
    let session = stage.session(json!({})).await;
    let mut frames = stage.watch(session).await;
    let handle = stage.house.session(&stage.app.acme, session).await.unwrap();
    let text = "CALL save_snapshot {\"message\":\"ready\"}\nSAY Done.".to_owned();
    let prompt = NewPrompt {
        text,
        ..NewPrompt::default()
    };
    handle.prompt(prompt).await.unwrap();
    let begins = |frame: &serde_json::Value| {
        frame["type"] == "tool_start" && frame["payload"]["tool"] == "save_snapshot"
    };
    until_it(&mut frames, "that the call begins", begins).await;
    // The agent says that it begins before it asks: an agent that stands still by then would never ask.
    let path = format!("/v1/sessions/{session}/tool-calls");
    let owner = stage.app.owner();
    let is_asked = async {
        loop {
            let calls = owner.get(&path).await.expect(200);
            if calls["items"]
                .as_array()
                .is_some_and(|calls| !calls.is_empty())
            {
                return;
            }
            // Shorter than a snapshot takes.
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(PATIENCE, is_asked).await.unwrap();
    stage.line.hold(true);
    let id = session.to_string();
    assert!(strike(&id, "opencode", Blow::Freeze) > 0, "the agent runs");
    let told = until(&mut frames, "snapshot_result").await.pop().unwrap();
    assert_eq!(told["payload"]["success"], true, "{told}");

    stage.replace_gateway().await;
    stage.line.cut();
    stage.line.hold(false);
    let mut frames = stage.watch(session).await;
    let handle = stage.house.session(&stage.app.acme, session).await.unwrap();
    assert!(
        strike(&id, "opencode", Blow::Thaw) > 0,
        "the agent is there"
    );
    handle.ensure_ready().await.unwrap();
    let mut seen = until_it(&mut frames, "the answer", tool_end("save_snapshot")).await;
    let answer = seen.last().unwrap()["payload"]["result"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(answer.contains("Saved as snapshot"), "{answer}");
    seen.extend(until_it(&mut frames, "the last word", said("Done.")).await);
    nothing_follows_an_end(&seen);

    let calls = stage.app.owner().get(&path).await.expect(200);
    let calls = calls["items"].as_array().unwrap().clone();
    assert_eq!(calls.len(), 1, "{calls:?}");
    let saved = stage.shown(session).await;
    assert!(
        answer.contains(saved["snapshotId"].as_str().unwrap()),
        "{saved}"
    );
}

mod real_agent_sqlite {
    #[tokio::test(flavor = "multi_thread")]
    async fn a_call_that_loses_its_connection_and_its_gateway_is_done_once() {
        let backend = testkit::database::Backend::Sqlite;
        super::a_call_that_loses_its_connection_and_its_gateway_is_done_once(backend).await;
    }
}

mod real_agent_postgres {
    #[tokio::test(flavor = "multi_thread")]
    async fn a_call_that_loses_its_connection_and_its_gateway_is_done_once() {
        let backend = testkit::database::Backend::Postgres;
        super::a_call_that_loses_its_connection_and_its_gateway_is_done_once(backend).await;
    }
}
