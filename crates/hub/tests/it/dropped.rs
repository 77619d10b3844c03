//! A snapshot freezes the sandbox of the agent that asked for it: the connection drops, and meanwhile the gateway may be
//! another one. It is saved once, and the agent has its answer.

use hub::session::NewPrompt;
use serde_json::json;
use testkit::{
    database::Backend,
    process::{Blow, strike},
};

use crate::stage::{Stage, nothing_follows_an_end, said, tool_end, until, until_it};

async fn a_call_that_loses_its_connection_and_its_gateway_is_done_once(backend: Backend) {
    let mut stage = Stage::set(backend).await;
    let session = stage.session(json!({})).await;
    let mut frames = stage.watch(session).await;
    let handle = stage
        .hub
        .registry
        .open(&stage.app.steering(session).await.unwrap())
        .await
        .unwrap();
    stage.line.hold_from("/tools/save_snapshot");
    let text = "CALL save_snapshot {\"message\":\"ready\"}\nSAY Done.".to_owned();
    let prompt = NewPrompt {
        text,
        ..NewPrompt::default()
    };
    handle.prompt(prompt).await.unwrap();
    let mut told = until(&mut frames, "snapshot_result").await;
    assert!(!told.iter().any(tool_end("save_snapshot")), "{told:#?}");
    let saved = told.pop().unwrap();
    assert_eq!(saved["payload"]["success"], true, "{saved}");
    let id = session.to_string();
    assert!(strike(&id, "opencode", Blow::Freeze) > 0, "the agent runs");

    stage.replace_gateway().await;
    stage.line.cut();
    stage.line.hold(false);
    let mut frames = stage.watch(session).await;
    let handle = stage
        .hub
        .registry
        .open(&stage.app.steering(session).await.unwrap())
        .await
        .unwrap();
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

    assert!(stage.line.asked() > 1, "what was lost is asked for again");
    let path = format!("/v1/sessions/{session}/tool-calls");
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
