//! What a new client gets, and where the agent runs.

use serde_json::{Value, json};
use testkit::{app::Person, database::Backend};

use super::Live;

testkit::on_both_databases!(a_new_client_gets_the_current_session_also_after_a_restart);

async fn a_new_client_gets_the_current_session_also_after_a_restart(backend: Backend) {
    let mut live = Live::start(backend).await;
    let mut socket = live.connect("").await;
    let init = socket.next_of("init").await;
    assert_eq!(init["payload"]["timeline"], json!([]));
    socket
        .send(json!({"type": "prompt", "content": "ENV API_KEY"}))
        .await;
    socket.next_of("message_complete").await;
    for _ in 0..2 {
        let mut late = live.connect_as(Person::Member, "").await;
        let init = late.next_of("init").await;
        let shown = &init["payload"];
        let stages: Vec<&Value> = shown["timeline"]
            .as_array()
            .unwrap()
            .iter()
            .map(|step| &step["stage"])
            .collect();
        assert_eq!(stages, ["sandbox", "agent", "stream"]);
        assert_eq!(
            shown["envRequests"],
            json!([{"toolCallId": "call_env", "args": {"keys": [{"key": "API_KEY"}]}}])
        );
        assert_eq!(shown["messages"].as_array().unwrap().len(), 2);
        live.reopen().await;
    }
    let mut socket = live.connect("").await;
    socket
        .send(json!({"type": "prompt", "content": "It is there."}))
        .await;
    socket.next_of("message_complete").await;
    let mut late = live.connect("").await;
    let init = late.next_of("init").await;
    assert_eq!(init["payload"]["envRequests"], json!([]));
}

#[tokio::test]
async fn without_an_upgrade_the_address_says_where_the_agent_runs() {
    let live = Live::start(Backend::Sqlite).await;
    let get = async |person| {
        let request = reqwest::Client::new().get(live.served.url(&live.path()));
        let answer = request
            .bearer_auth(live.token(person))
            .send()
            .await
            .unwrap();
        (
            answer.status().as_u16(),
            answer.json::<Value>().await.unwrap(),
        )
    };
    let (status, before) = get(Person::Member).await;
    assert_eq!(status, 200, "{before}");
    assert_eq!(
        (&before["status"], &before["sandboxId"]),
        (&json!("pending"), &Value::Null)
    );
    assert_eq!(get(Person::Foreigner).await.0, 404);

    let handle = json!({"provider": "local", "id": "00112233aabb", "incarnation": 1, "expires_at": null, "tier": "rootless"});
    let mut tx = live.app.database.db.write().await.unwrap();
    let session =
        store::session_claim(&mut tx, &live.app.acme, live.session, live.app.app.now()).await;
    let row = store::SessionRuntime {
        sandbox: Some(handle.to_string()),
        provider: Some("local".into()),
        ..store::SessionRuntime::default()
    };
    let session = session.unwrap().unwrap();
    store::session_runtime_set(&mut tx, &session, &row, live.app.app.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let (_, info) = get(Person::Member).await;
    assert_eq!(
        (&info["sandboxId"], &info["tier"]),
        (&json!("00112233aabb"), &json!("rootless")),
        "{info}"
    );
    let unprotected = info["unprotected"].to_string();
    assert!(
        unprotected.contains("memory, processors, processes and disk are not limited"),
        "{info}"
    );
}
