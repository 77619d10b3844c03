//! The same key is the same prompt, taken once.

use serde_json::{Value, json};
use testkit::{app::Person, database::Backend};

use super::Live;
use crate::support::{create, id};

testkit::on_both_databases!(a_prompt_is_taken_once_under_its_key_also_after_a_restart);

async fn post(live: &Live, key: &str, content: &str) -> (u16, Value) {
    let url = live.served.url(&format!("{}/message", live.path()));
    let request = reqwest::Client::new()
        .post(url)
        .bearer_auth(live.token(Person::Owner))
        .header("idempotency-key", key)
        .json(&json!({"content": content}));
    let answer = request.send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

async fn a_prompt_is_taken_once_under_its_key_also_after_a_restart(backend: Backend) {
    let mut live = Live::start(backend).await;
    let mut socket = live.connect("").await;
    let (status, first) = post(&live, "k1", "Once.").await;
    assert_eq!(status, 202, "{first}");
    let message = socket.next_of("message").await;
    assert_eq!(message["payload"]["id"], first["messageId"]);
    socket.next_of("message_complete").await;

    assert_eq!(post(&live, "k1", "Once.").await, (202, first.clone()));
    let (status, problem) = post(&live, "k1", "Something else.").await;
    assert_eq!(
        (status, &problem["code"]),
        (409, &json!("IDEMPOTENCY_CONFLICT"))
    );
    // A frame is no other way in.
    let again = json!({"type": "prompt", "content": "Once.", "idempotencyKey": "k1"});
    socket.send(again.clone()).await;
    let other = json!({"type": "prompt", "content": "Else.", "idempotencyKey": "k1"});
    socket.send(other).await;
    let error = socket.next_of("error").await;
    assert_eq!(error["payload"]["code"], "refused", "{error}");

    live.reopen().await;
    assert_eq!(post(&live, "k1", "Once.").await, (202, first.clone()));
    assert_eq!(post(&live, "k1", "Something else.").await.0, 409);
    let mut socket = live.connect("").await;
    socket.send(again).await;
    let (status, second) = post(&live, "k2", "Once.").await;
    assert_eq!(status, 202);
    assert_ne!(
        second["messageId"], first["messageId"],
        "another key is another prompt"
    );
    socket.next_of("message_complete").await;

    let log = live.log().await;
    let of_people = log
        .iter()
        .filter(|frame| frame.contains(r#""role":"user""#));
    assert_eq!(of_people.count(), 2, "{log:#?}");
    let given: Vec<Value> = live
        .agent
        .prompts()
        .iter()
        .map(|prompt| prompt["messageID"].clone())
        .collect();
    assert_eq!(
        given,
        [first["messageId"].clone(), second["messageId"].clone()]
    );
}

#[tokio::test]
async fn what_cannot_be_kept_is_refused_instead_of_waiting_for_ever() {
    let live = Live::start(Backend::Sqlite).await;
    let picture = format!("data:image/png;base64,{}", "A".repeat(3 * 1024 * 1024));
    let mut socket = live.connect("").await;
    socket
        .send(json!({"type": "prompt", "content": "Look.", "images": [picture]}))
        .await;
    let error = socket.next_of("error").await;
    assert_eq!(error["payload"]["code"], "refused", "{error}");
    socket
        .send(json!({"type": "prompt", "content": "Go on."}))
        .await;
    socket.next_of("message_complete").await;
}

#[tokio::test]
async fn a_session_comes_up_with_its_first_prompt_once() {
    let mut live = Live::start(Backend::Sqlite).await;
    let made = create(&live.app, json!({"initialPrompt": "Begin."})).await;
    live.session = id(&made).parse().unwrap();
    let url = live.served.url(&format!("{}/eager-start", live.path()));
    let start = async |person| {
        let request = reqwest::Client::new()
            .post(&url)
            .bearer_auth(live.token(person));
        request.send().await.unwrap().status().as_u16()
    };
    assert_eq!(start(Person::Member).await, 403);
    let mut socket = live.connect("").await;
    assert_eq!(start(Person::Owner).await, 202);
    assert_eq!(start(Person::Owner).await, 202);
    socket.next_of("message_complete").await;
    assert_eq!(start(Person::Owner).await, 202);
    // Another prompt under the same key belongs to another caller.
    assert_eq!(post(&live, "initial", "Go on.").await.0, 202);
    socket.next_of("message_complete").await;
    assert_eq!(live.agent.prompts().len(), 2);
    let log = live.log().await;
    let said = |frame: &&String| frame.contains(r#""role":"user","content":"Begin.""#);
    let said = log.iter().filter(said);
    assert_eq!(said.count(), 1, "{log:?}");
}
