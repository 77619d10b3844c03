//! A run from its start to its end, with the real agent: it is told once, says how it went, and its session is over.

use domain::id::SessionId;
use hub::session::{HubError, NewPrompt};
use serde_json::{Value, json};
use testkit::database::Backend;

use crate::stage::{Stage, eventually, until_it};

async fn a_run_is_told_once_and_ends_its_session(backend: Backend) {
    let mut stage = Stage::set(backend).await;
    let owner = stage.app.owner();
    // The ids are in the prompt, below the instructions.
    let complete = json!({"run_id": "{{find `run_id`: ([0-9a-f-]{36})}}",
        "completion_id": "{{find `completion_id`: (run:[0-9a-f-]{36}:completion:v1)}}", "outcome": "succeeded",
        "summary_markdown": "All is well."});
    let instructions = format!("CALL automation_complete {complete}\nSAY It is over.");
    let body = json!({"name": "Nightly", "agentInstructions": instructions});
    let automation = owner.post("/v1/automations", body).await.expect(201);
    let path = format!(
        "/v1/automations/{}/runs",
        automation["id"].as_str().unwrap()
    );
    let run = owner
        .call(axum::http::Method::POST, &path)
        .await
        .expect(201);
    assert_eq!(run["status"], "running", "{run}");
    let session = run["sessionId"].as_str().unwrap().to_owned();
    let id: SessionId = session.parse().unwrap();
    let steering = stage.app.steering(id).await.unwrap();

    let run_path = format!("/v1/automation-runs/{}", run["id"].as_str().unwrap());
    let show = async |path: &str| stage.app.owner().get(path).await.expect(200);
    let mut sandbox = None;
    eventually("the run succeeded", async || {
        sandbox = stage.sandbox(id).await.or(sandbox.take());
        show(&run_path).await["status"] == "succeeded"
    })
    .await;
    let ended = show(&run_path).await;
    assert_eq!(ended["completion"]["summaryMarkdown"], "All is well.");
    let session_path = format!("/v1/sessions/{session}");
    eventually("the session stopped", async || {
        show(&session_path).await["status"] == "stopped"
    })
    .await;
    eventually("its sandbox is gone", async || {
        stage.sandbox(id).await.is_none()
    })
    .await;

    let liveness = stage.liveness(&sandbox.expect("it had one")).await;
    assert_eq!(liveness, sandbox::Liveness::Dead);

    // What was said stays, the agent's last words too; nothing more is taken.
    stage.restart().await;
    let mut frames = stage.watch(id).await;
    let init = until_it(&mut frames, "init", |frame| frame["type"] == "init").await;
    let init = &init[0]["payload"];
    assert_eq!(init["status"], "stopped");
    let messages = init["messages"].as_array().unwrap();
    let of_people = messages.iter().filter(|message| message["role"] == "user");
    assert_eq!(of_people.count(), 1, "{messages:#?}");
    let text = Value::from(messages.clone()).to_string();
    assert!(text.contains("It is over."), "{text}");
    // With a right that was given while it lasted.
    let handle = stage.hub.registry.open(&steering).await.unwrap();
    let refused = handle.prompt(NewPrompt::default()).await;
    assert_eq!(refused, Err(HubError::Over));
    let message = format!("/proliferate/{session}/message");
    let refused = stage
        .app
        .owner()
        .post(&message, json!({"content": "More?"}))
        .await;
    refused.expect_problem(409, "CONFLICT");
}

/// Also by a process that dies after it was written down and before the agent was there.
async fn a_first_prompt_is_said_once_across_restarts(backend: Backend) {
    let mut stage = Stage::set(backend).await;
    let body = json!({"initialPrompt": "SAY Good morning."});
    let made = stage.app.owner().post("/proliferate/sessions", body).await;
    let session = made.expect(201)["sessionId"].as_str().unwrap().to_owned();
    let id: SessionId = session.parse().unwrap();
    let mut frames = stage.watch(id).await;
    until_it(&mut frames, "the prompt", |frame| {
        let is_shown = frame["payload"]["messages"][0]["role"] == "user";
        is_shown || frame["type"] == "message"
    })
    .await;
    stage.restart().await;
    let handle = stage
        .hub
        .registry
        .open(&stage.app.steering(id).await.unwrap())
        .await
        .unwrap();
    handle.ensure_ready().await.unwrap();
    let messages = async || {
        let mut frames = stage.watch(id).await;
        let init = until_it(&mut frames, "init", |frame| frame["type"] == "init").await;
        init[0]["payload"]["messages"].clone()
    };
    let mut seen = Value::Null;
    eventually("an answer", async || {
        seen = messages().await;
        seen[1]["isComplete"] == true && seen.to_string().contains("[scripted] Good morning.")
    })
    .await;
    stage.restart().await;
    let mut frames = stage.watch(id).await;
    let init = until_it(&mut frames, "init", |frame| frame["type"] == "init").await;
    let messages = init[0]["payload"]["messages"].as_array().unwrap().clone();
    let roles: Vec<_> = messages.iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, ["user", "assistant"], "{messages:#?}");
}

mod real_agent_sqlite {
    use testkit::database::Backend::Sqlite;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_run_is_told_once_and_ends_its_session() {
        super::a_run_is_told_once_and_ends_its_session(Sqlite).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_first_prompt_is_said_once_across_restarts() {
        super::a_first_prompt_is_said_once_across_restarts(Sqlite).await;
    }
}

mod real_agent_postgres {
    use testkit::database::Backend::Postgres;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_run_is_told_once_and_ends_its_session() {
        super::a_run_is_told_once_and_ends_its_session(Postgres).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_first_prompt_is_said_once_across_restarts() {
        super::a_first_prompt_is_said_once_across_restarts(Postgres).await;
    }
}
