//! Any instance serves any session: what it does not have is carried to the one that does, once.

use axum::http::Method;
use domain::{id::SessionId, instance::Instance, limits::INSTANCE_TTL};
use serde_json::{Value, json};
use testkit::{app::Person, database::Backend};

use super::{Fleet, One};
use crate::{
    live::client::{Events, Socket},
    support::UNKNOWN_ID,
};

testkit::on_both_databases!(
    prompts_streams_and_sockets_reach_the_owner_through_any_instance,
    what_was_carried_once_is_not_carried_again,
    an_instance_that_does_not_forward_names_the_owner,
    an_owner_that_does_not_answer_is_no_reason_to_take_its_session,
    a_session_of_another_instance_is_not_there_for_others,
);

async fn prompts_streams_and_sockets_reach_the_owner_through_any_instance(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let second = fleet.join(&first).await;
    let session = first.session().await;
    first.open(session).await.unwrap();

    let mut socket = second.connect(session, "").await;
    assert_eq!(socket.protocol, None);
    socket.next_of("init").await;
    let url = second.served.url(&format!("/proliferate/{session}/events"));
    let token = second.app.user_token(Person::Owner);
    let mut events = Events::open(&url, &token, None).await;
    assert!(events.next().await.1.contains("\"init\""));

    let (status, taken) = second.say(session, "Over there.").await;
    assert_eq!(status, 202, "{taken}");
    let message = socket.next_of("message").await;
    assert_eq!(message["payload"]["id"], taken["messageId"]);
    socket.next_of("message_complete").await;
    socket
        .send(json!({"type": "prompt", "content": "By socket."}))
        .await;
    socket.next_of("message_complete").await;
    while !events.next().await.1.contains("By socket.") {}

    let url = second.served.url(&format!("/proliferate/{session}/cancel"));
    let cancel = reqwest::Client::new().post(&url).bearer_auth(&token);
    assert_eq!(cancel.send().await.unwrap().status(), 204);
    // Who it is, the owner finds out: the same answers as there.
    let foreign = second.app.user_token(Person::Foreigner);
    let cancel = reqwest::Client::new().post(&url).bearer_auth(foreign);
    assert_eq!(cancel.send().await.unwrap().status(), 404);
    let anonymous = reqwest::Client::new().post(&url);
    assert_eq!(anonymous.send().await.unwrap().status(), 401);

    assert_eq!(fleet.owner(session).await, Some(first.id()));
    assert!(first.hub.registry.is_live(session) && !second.hub.registry.is_live(session));
    assert_eq!(fleet.agent.prompts().len(), 2);
}

async fn what_was_carried_once_is_not_carried_again(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let second = fleet.join(&first).await;
    let session = first.session().await;
    first.open(session).await.unwrap();
    // Each takes the other for the owner.
    let lie = Instance {
        advertised_url: second.url(),
        ..first.instance()
    };
    fleet
        .coordination
        .announce(&lie, INSTANCE_TTL * 100)
        .await
        .unwrap();
    let (status, problem) = second.say(session, "Round and round.").await;
    assert_eq!(
        (status, problem["code"].as_str()),
        (409, Some("WRONG_INSTANCE")),
        "{problem}"
    );
    assert_eq!(problem["ownerUrl"], second.url());
    let mut socket = second.connect(session, "").await;
    let (_, code, reason) = socket.closed().await;
    assert_eq!((code, reason.as_str()), (1001, "wrong_instance"));
}

async fn an_instance_that_does_not_forward_names_the_owner(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let second = fleet
        .join_with(&first, |options| options.forward = false)
        .await;
    let session = first.session().await;
    first.open(session).await.unwrap();
    let (status, problem) = second.say(session, "Where?").await;
    assert_eq!(
        (status, problem["code"].as_str()),
        (409, Some("WRONG_INSTANCE")),
        "{problem}"
    );
    assert_eq!(problem["ownerUrl"], first.url());
    assert_eq!(problem["retryable"], false);
    let mut socket = second.connect(session, "").await;
    let (seen, code, reason) = socket.closed().await;
    assert_eq!((code, reason.as_str()), (1001, "wrong_instance"));
    assert_eq!(seen, Vec::<String>::new());
    // A tool of the sandbox is the owner's too.
    let url = second
        .served
        .url(&format!("/proliferate/{session}/tools/verify"));
    let token = second.app.user_token(Person::Owner);
    let body = json!({"tool_call_id": "call_1", "args": {}});
    let call = reqwest::Client::new()
        .post(&url)
        .bearer_auth(&token)
        .json(&body);
    let answer = call.send().await.unwrap();
    assert_eq!(answer.status(), 409);
    // Callers without access, and unauthenticated ones, learn nothing of it.
    let asked = async |token: Option<String>| {
        let mut call = reqwest::Client::new().post(&url).json(&body);
        if let Some(token) = token {
            call = call.bearer_auth(token);
        }
        let answer = call.send().await.unwrap();
        let status = answer.status().as_u16();
        let problem: Value = answer.json().await.unwrap();
        (status, problem["ownerUrl"].clone())
    };
    let other = first.session().await;
    let (own, of_other) = (
        second.app.sandbox_token(session).await,
        second.app.sandbox_token(other).await,
    );
    let foreign = second.app.user_token(Person::Foreigner);
    let owner = Value::from(first.url());
    assert_eq!(asked(Some(own)).await, (409, owner));
    assert_eq!(asked(Some(of_other)).await, (404, Value::Null));
    assert_eq!(asked(Some(foreign)).await, (404, Value::Null));
    assert_eq!(asked(None).await, (401, Value::Null));
    // What needs no owner is done anywhere.
    let path = format!("/proliferate/{session}/actions/available");
    second.app.owner().get(&path).await.expect(200);
}

async fn an_owner_that_does_not_answer_is_no_reason_to_take_its_session(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let second = fleet.join(&first).await;
    let session = first.session().await;
    first.open(session).await.unwrap();
    fleet.mislead(&first).await;
    let (status, problem) = second.say(session, "Hello?").await;
    assert_eq!(
        (status, problem["code"].as_str()),
        (503, Some("UPSTREAM_UNAVAILABLE")),
        "{problem}"
    );
    fleet.coordination.withdraw(first.id()).await.unwrap();
    let (status, problem) = second.say(session, "Hello?").await;
    assert_eq!(
        (status, problem["code"].as_str()),
        (503, Some("OVERLOADED")),
        "{problem}"
    );
    assert_eq!(fleet.owner(session).await, Some(first.id()));
}

impl Fleet {
    /// Has the others look for this instance where none listens.
    async fn mislead(&self, one: &One) {
        let nowhere = Instance {
            advertised_url: "http://127.0.0.1:1".to_owned(),
            ..one.instance()
        };
        let announced = self.coordination.announce(&nowhere, INSTANCE_TTL * 100);
        announced.await.unwrap();
    }
}

/// Requests that need the owner of the session, with the bodies of those that have one.
const NEED_THE_OWNER: [(Method, &str, &str); 10] = [
    (
        Method::POST,
        "/proliferate/{id}/message",
        r#"{"content": "Hello?"}"#,
    ),
    (Method::POST, "/proliferate/{id}/cancel", ""),
    (
        Method::POST,
        "/proliferate/{id}/tools/verify",
        r#"{"tool_call_id": "call_1", "args": {}}"#,
    ),
    (Method::GET, "/proliferate/{id}/events", ""),
    (Method::GET, "/proliferate/{id}/preview/3000/", ""),
    (Method::GET, "/proliferate/{id}/look/v1.1.00.00/", ""),
    (
        Method::GET,
        "/proliferate/{id}/git/x/info/refs?service=git-upload-pack",
        "",
    ),
    (
        Method::POST,
        "/v1/sessions/{id}/env",
        r#"{"envVars": {"A": "x"}}"#,
    ),
    (Method::POST, "/v1/sessions/{id}/migrate", ""),
    (Method::DELETE, "/v1/sessions/{id}", ""),
];

/// The response through this instance, without what differs between any two requests.
async fn told(
    through: &One,
    (method, path, body): &(Method, &str, &'static str),
    id: &str,
    token: Option<&str>,
) -> (u16, String) {
    let url = through.served.url(&path.replace("{id}", id));
    let mut call = reqwest::Client::new().request(method.clone(), url);
    if !body.is_empty() {
        call = call.header("content-type", "application/json").body(*body);
    }
    if let Some(token) = token {
        call = call.bearer_auth(token);
    }
    let answer = call.send().await.unwrap();
    let status = answer.status().as_u16();
    let text = answer.text().await.unwrap();
    let said = serde_json::from_str(&text).map_or(text, |problem: Value| {
        format!("{} {}", problem["code"], problem["detail"])
    });
    (status, said)
}

async fn a_session_of_another_instance_is_not_there_for_others(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let second = fleet.join(&first).await;
    let silent = fleet
        .join_with(&first, |options| options.forward = false)
        .await;
    let session = first.session().await;
    first.open(session).await.unwrap();
    let foreign = second.app.user_token(Person::Foreigner);
    let agent_of_another = second.app.sandbox_token(first.session().await).await;
    for state in ["answers", "does not answer", "is gone"] {
        match state {
            "does not answer" => fleet.mislead(&first).await,
            "is gone" => {
                fleet.coordination.withdraw(first.id()).await.unwrap();
            }
            _ => {}
        }
        for (through, request) in [&second, &silent]
            .into_iter()
            .flat_map(|one| NEED_THE_OWNER.iter().map(move |request| (one, request)))
        {
            for token in [None, Some(&foreign), Some(&agent_of_another)] {
                let token = token.map(String::as_str);
                let elsewhere = told(through, request, &session.to_string(), token).await;
                let nowhere = told(through, request, UNKNOWN_ID, token).await;
                assert_eq!(elsewhere, nowhere, "{request:?} where the owner {state}");
                assert!(matches!(elsewhere.0, 401 | 403 | 404), "{elsewhere:?}");
            }
        }
        no_socket_tells_of(&second, session, &foreign).await;
        let instance = (Method::GET, "/v1/fleet/instances/{id}", "");
        let known = told(&second, &instance, &first.id().to_string(), Some(&foreign)).await;
        let unknown = told(&second, &instance, UNKNOWN_ID, Some(&foreign)).await;
        assert_eq!((known.0, &known), (403, &unknown), "the instance {state}");
    }
    let (status, problem) = second.say(session, "Hello?").await;
    assert_eq!(status, 503, "{problem}");
    assert_eq!(fleet.owner(session).await, Some(first.id()));
}

async fn no_socket_tells_of(through: &One, session: SessionId, foreign: &str) {
    let path = format!("/proliferate/{session}");
    let bearer = format!("Bearer {foreign}");
    let headers = [("authorization", bearer.as_str())];
    let opened = Socket::open(through.served.address, &path, &headers).await;
    assert_eq!(opened.err(), Some(404));
    // Who asks is said on the socket alone: it opens whatever the session is.
    let mut socket = Socket::open(through.served.address, &path, &[])
        .await
        .unwrap();
    socket.send(json!({"type": "auth", "token": foreign})).await;
    let (_, code, reason) = socket.closed().await;
    assert_eq!((code, reason.as_str()), (1008, "not found"));
}
