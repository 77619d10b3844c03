//! A session of an organization that is suspended, with the real agent: saved and paused, and gone on with afterwards.

use app::{access::TerminalOperator, organizations};
use serde_json::json;
use testkit::database::Backend;

use crate::stage::{Stage, bash, eventually};

async fn a_suspension_saves_and_pauses_a_live_session(backend: Backend) {
    let stage = Stage::set(backend).await;
    let (app, acme) = (&stage.app.app, &stage.app.acme);
    let session = stage.session(json!({})).await;
    stage
        .say(&stage.hub, session, &bash("echo kept > kept.txt"))
        .await;
    assert!(stage.sandbox(session).await.is_some());
    assert_eq!(
        stage.hub.fleet.pause_suspended().await,
        0,
        "nothing is suspended"
    );

    let suspended = organizations::suspend(app, &TerminalOperator, acme, "the invoice is open");
    suspended.await.unwrap();
    assert_eq!(stage.hub.fleet.pause_suspended().await, 1);
    eventually("its sandbox is saved and destroyed", async || {
        stage.sandbox(session).await.is_none()
    })
    .await;
    let shown = stage.shown(session).await;
    assert_eq!(shown["status"], "paused");
    assert!(
        shown["reason"].as_str().unwrap().contains("suspended"),
        "{shown}"
    );
    let path = format!("/proliferate/{session}/message");
    let refused = stage
        .app
        .owner()
        .post(&path, json!({"content": "Go on."}))
        .await;
    refused.expect_problem(403, "ORGANIZATION_SUSPENDED");
    assert_eq!(stage.hub.fleet.pause_suspended().await, 0);

    organizations::resume(app, &TerminalOperator, acme)
        .await
        .unwrap();
    let frames = stage.say(&stage.hub, session, &bash("cat kept.txt")).await;
    let kept = frames.iter().find(|frame| frame["type"] == "tool_end");
    assert_eq!(kept.unwrap()["payload"]["result"], "kept\n", "{frames:?}");
    stage.hub.fleet.close().await;
}

mod real_agent_suspension {
    use testkit::database::Backend::Sqlite;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_suspension_saves_and_pauses_a_live_session() {
        super::a_suspension_saves_and_pauses_a_live_session(Sqlite).await;
    }
}
