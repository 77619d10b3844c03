//! A whole session: the real gateway, the real agent in a real sandbox, and the scripted model behind the
//! gateway's own proxy.

use hub::{Hub, runtime::LazyMachine, session::NewPrompt};
use serde_json::json;
use testkit::database::Backend;

use crate::stage::{Stage, said, until, until_it};

async fn a_setup_session_from_prompt_to_configuration(backend: Backend) {
    let stage = Stage::set(backend).await;
    let (app, hub) = (&stage.app, &stage.hub);
    let owner = app.owner();
    let made = owner
        .post("/v1/configurations", json!({"name": "Shop"}))
        .await;
    let configuration = made.expect(201)["id"].as_str().unwrap().to_owned();
    let body = json!({"sessionType": "setup", "configurationId": configuration});
    let session = stage.session(body).await;

    let mut frames = stage.watch(session).await;
    let handle = hub
        .registry
        .open(&app.steering(session).await.unwrap())
        .await
        .unwrap();
    let commands = json!({"commands": [{"name": "web", "command": "npm start"}]});
    let prompt = NewPrompt {
        text: format!("CALL save_service_commands {commands}\nSAY All is kept."),
        ..NewPrompt::default()
    };
    handle.prompt(prompt).await.unwrap();
    let seen = until(&mut frames, "tool_end").await;
    assert_eq!(seen[0]["type"], "init");
    let told = seen.last().unwrap();
    assert_eq!(told["payload"]["tool"], "save_service_commands", "{told}");
    until_it(&mut frames, "its words", said("All is kept.")).await;

    let path = format!("/v1/configurations/{configuration}");
    let kept = owner.get(&path).await.expect(200);
    assert_eq!(kept["serviceCommands"][0]["command"], "npm start");
    let shown = owner
        .get(&format!("/v1/sessions/{session}"))
        .await
        .expect(200);
    assert_eq!(shown["status"], "running", "{shown}");
    let calls = owner
        .get(&format!("/v1/sessions/{session}/tool-calls"))
        .await;
    assert_eq!(calls.expect(200)["items"][0]["status"], "completed");
    let usage = owner.get(&format!("/v1/sessions/{session}/usage")).await;
    let usage = usage.expect(200);
    assert!(
        usage["total"]["outputTokens"].as_u64().unwrap() > 0,
        "{usage}"
    );

    // A later client is sent the conversation, by another process too.
    hub.fleet.close().await;
    let other = Hub::new(app.app.clone(), LazyMachine::closed("no agent runs here"));
    let later = other
        .watchers
        .watch(&app.access(session).await, None, None)
        .await;
    let mut later = later.unwrap().frames;
    let init = until(&mut later, "init").await.remove(0);
    let messages = init["payload"]["messages"].to_string();
    assert!(messages.contains("All is kept."), "{messages}");
}

mod real_agent_sqlite {
    #[tokio::test(flavor = "multi_thread")]
    async fn a_setup_session_from_prompt_to_configuration() {
        let backend = testkit::database::Backend::Sqlite;
        super::a_setup_session_from_prompt_to_configuration(backend).await;
    }
}

mod real_agent_postgres {
    #[tokio::test(flavor = "multi_thread")]
    async fn a_setup_session_from_prompt_to_configuration() {
        let backend = testkit::database::Backend::Postgres;
        super::a_setup_session_from_prompt_to_configuration(backend).await;
    }
}
