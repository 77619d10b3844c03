//! An agent asks for variables, a person gives them, and the agent has them: with the real agent and the real command
//! in its sandbox.

use domain::id::SessionId;
use serde_json::{Value, json};
use testkit::database::Backend;

use crate::stage::{Stage, said, tool_end, until_it};

/// In no log, event, answer or table.
const PLANTED: &str = "planted-secret-value-0123456789";

/// Of what shells and files make something else.
const MODE: &str = "it's \"quoted\"\n$HOME # `x`";

async fn values_reach_an_agent_that_asked_for_them(backend: Backend) {
    let stage = Stage::set(backend).await;
    let owner = stage.app.owner();
    let made = owner
        .post("/proliferate/sessions", json!({}))
        .await
        .expect(201);
    let session = made["sessionId"].as_str().unwrap().to_owned();
    let id: SessionId = session.parse().unwrap();
    let mut frames = stage.watch(id).await;
    let asks = json!({"keys": [{"key": "API_KEY", "type": "secret"}, {"key": "MODE"}]});
    let prompt = hub::session::NewPrompt {
        text: format!("CALL request_env_variables {asks}\nSAY I wait."),
        ..Default::default()
    };
    let handle = stage
        .hub
        .registry
        .open(&stage.app.steering(id).await.unwrap())
        .await
        .unwrap();
    handle.prompt(prompt).await.unwrap();
    let asked = until_it(&mut frames, "a request", tool_end("request_env_variables")).await;
    let started = asked
        .iter()
        .rev()
        .find(|frame| frame["type"] == "tool_start");
    let args = &started.unwrap()["payload"]["args"];
    assert_eq!(args["keys"][0]["key"], "API_KEY", "{args}");
    until_it(&mut frames, "its words", said("I wait.")).await;

    let path = format!("/v1/sessions/{session}/env");
    let body = json!({"secrets": [{"key": "API_KEY", "value": PLANTED, "description": "for tests"}],
        "envVars": {"MODE": MODE}});
    let given = owner.post(&path, body).await;
    let text = given.text().to_owned();
    let results = given.expect(200)["results"].clone();
    let result = |key: &str, persisted: bool, existed: bool| json!({"key": key, "persisted": persisted, "alreadyExisted": existed});
    assert_eq!(
        results,
        json!([result("API_KEY", true, false), result("MODE", false, false)])
    );
    let told = until_it(&mut frames, "what the agent is told", |frame| {
        frame["type"] == "message" && frame["payload"]["role"] == "user"
    });
    let told = told.await.pop().unwrap();
    let words = told["payload"]["content"].as_str().unwrap();
    assert!(words.contains("`API_KEY`, `MODE`"), "{words}");

    // As the agent has it, by its own command.
    let look =
        "proliferate env get --name MODE --raw; proliferate env get --name API_KEY --raw | wc -c";
    let command = json!({"command": look, "description": "look"});
    let prompt = hub::session::NewPrompt {
        text: format!("CALL bash {command}\nSAY Seen."),
        ..Default::default()
    };
    handle.prompt(prompt).await.unwrap();
    let looked = until_it(&mut frames, "a look", tool_end("bash")).await;
    let result = looked.last().unwrap()["payload"]["result"]
        .as_str()
        .unwrap();
    assert!(result.contains(MODE), "{result}");
    assert!(result.contains(&PLANTED.len().to_string()), "{result}");
    until_it(&mut frames, "its words", said("Seen.")).await;

    // Given again, it takes the place of what was kept.
    let again = json!({"secrets": [{"key": "API_KEY", "value": format!("{PLANTED}-2")}]});
    let again = owner.post(&path, again).await.expect(200);
    assert_eq!(again["results"][0]["alreadyExisted"], true);
    assert!(!text.contains(PLANTED) && !again.to_string().contains(PLANTED));
    no_trace(&stage, id).await;
}

/// The value is in no event of the session, nor in any of the audit log.
async fn no_trace(stage: &Stage, id: SessionId) {
    let mut conn = stage.app.database.db.read().await.unwrap();
    let events = store::session_event_list(&mut conn, &stage.app.acme, id, 0, 1000).await;
    let events = events.unwrap();
    assert!(events.iter().any(|event| event.kind == "tool_end"));
    assert!(events.iter().all(|event| !event.payload.contains(PLANTED)));
    drop(conn);
    app::audit::sign_pending(&stage.app.app, &stage.app.acme)
        .await
        .unwrap();
    let log = stage.app.owner().get("/v1/audit/events?limit=100").await;
    let log = log.expect(200);
    let operation = |item: &Value| item["record"]["event"]["target"]["operation"].clone();
    let operations = log["items"].as_array().unwrap().iter().map(operation);
    let submitted = operations.filter(|operation| operation == "session_env_submit");
    assert_eq!(submitted.count(), 2);
    assert!(!log.to_string().contains(PLANTED));
}

async fn a_session_that_sleeps_is_woken_for_its_values(backend: Backend) {
    let mut stage = Stage::set(backend).await;
    let owner = stage.app.owner();
    let made = owner
        .post("/proliferate/sessions", json!({}))
        .await
        .expect(201);
    let session = made["sessionId"].as_str().unwrap().to_owned();
    let id: SessionId = session.parse().unwrap();
    // No process has opened it yet.
    stage.restart().await;
    let path = format!("/v1/sessions/{session}/env");
    let body = json!({"secrets": [{"key": "API_KEY", "value": PLANTED, "persist": false}]});
    let given = stage.app.owner().post(&path, body).await.expect(200);
    assert_eq!(given["results"][0]["persisted"], false);
    assert!(stage.sandbox(id).await.is_some());
    let secrets = stage.app.owner().get("/v1/secrets").await.expect(200);
    assert_eq!(secrets["items"], json!([]));

    for (body, field) in [
        (json!({}), "secrets"),
        (json!({"envVars": {"HOME": "x"}}), "envVars.HOME"),
        (
            json!({"envVars": {"OPENCODE_CONFIG": "x"}}),
            "envVars.OPENCODE_CONFIG",
        ),
        (
            json!({"secrets": [{"key": "A-B", "value": "x"}]}),
            "secrets[0].key",
        ),
        (
            json!({"secrets": [{"key": "A", "value": "x"}], "envVars": {"A": "y"}}),
            "secrets[0].key",
        ),
        (
            json!({"envVars": {"A": "y"}, "saveToConfiguration": true}),
            "saveToConfiguration",
        ),
    ] {
        let refused = stage.app.owner().post(&path, body).await;
        let problem = refused.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], field);
    }
    stage
        .app
        .owner()
        .delete(&format!("/v1/sessions/{session}"))
        .await
        .expect(200);
    let late = stage
        .app
        .owner()
        .post(&path, json!({"envVars": {"A": "y"}}))
        .await;
    late.expect_problem(409, "INVALID_STATE");
}

mod real_agent_sqlite {
    use testkit::database::Backend::Sqlite;

    #[tokio::test(flavor = "multi_thread")]
    async fn values_reach_an_agent_that_asked_for_them() {
        super::values_reach_an_agent_that_asked_for_them(Sqlite).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_session_that_sleeps_is_woken_for_its_values() {
        super::a_session_that_sleeps_is_woken_for_its_values(Sqlite).await;
    }
}

mod real_agent_postgres {
    use testkit::database::Backend::Postgres;

    #[tokio::test(flavor = "multi_thread")]
    async fn values_reach_an_agent_that_asked_for_them() {
        super::values_reach_an_agent_that_asked_for_them(Postgres).await;
    }
}
