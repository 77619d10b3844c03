//! An instance is taken out of the fleet by an operator, through any instance, and back into it.

use std::collections::BTreeSet;

use axum::http::Method;
use domain::id::SessionId;
use serde_json::{Value, json};
use testkit::{
    app::{Person, Served},
    database::Backend,
};

use super::{Fleet, One, eventually};

testkit::on_both_databases!(
    one_that_is_drained_gives_its_sessions_away_and_leads_new_ones_elsewhere,
    a_turn_goes_on_where_its_session_went,
    alone_sessions_are_let_go_and_none_is_opened,
    tools_of_sandboxes_reach_the_owner_by_the_session_in_their_body,
);

pub(super) async fn ask(one: &One, method: Method, path: &str, who: Person) -> (u16, Value) {
    let url = one.served.url(path);
    let request = reqwest::Client::new().request(method, url);
    let request = request.bearer_auth(one.app.user_token(who));
    let answer = request.send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

/// Asks `through` one instance to drain another.
pub(super) async fn drain(through: &One, of: &One) -> Value {
    let path = format!("/v1/fleet/instances/{}/drain", of.id());
    let (status, shown) = ask(through, Method::POST, &path, Person::Admin).await;
    assert_eq!(status, 200, "{shown}");
    assert!(shown["drain"]["since"].is_string(), "{shown}");
    shown
}

async fn show(through: &One, of: &One) -> Value {
    let path = format!("/v1/fleet/instances/{}", of.id());
    let (status, shown) = ask(through, Method::GET, &path, Person::Admin).await;
    assert_eq!(status, 200, "{shown}");
    assert_eq!(shown["id"], of.id().to_string());
    shown
}

async fn readiness(served: &Served) -> (u16, Value) {
    let answer = reqwest::get(served.url("/ready")).await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

async fn one_that_is_drained_gives_its_sessions_away_and_leads_new_ones_elsewhere(
    backend: Backend,
) {
    let (fleet, first) = Fleet::start(backend).await;
    let second = fleet.join(&first).await;
    let (watched, other) = (first.session().await, first.session().await);
    let mut socket = first.connect(watched, "").await;
    socket.next_of("init").await;
    first.open(other).await.unwrap();
    let path = format!("/v1/fleet/instances/{}/drain", first.id());
    let (status, _) = ask(&second, Method::POST, &path, Person::Member).await;
    assert_eq!(status, 403, "that is for admins");

    drain(&second, &first).await;
    let (_, code, reason) = socket.closed().await;
    assert_eq!((code, reason.as_str()), (1001, "moved"));
    eventually("it is empty", async || {
        show(&second, &first).await["hubs"]["leases"] == 0
    })
    .await;
    let shown = show(&second, &first).await;
    assert_eq!(shown["drain"]["handedOver"], 2, "{shown}");
    assert_eq!(shown["drain"]["left"], 0, "{shown}");
    for session in [watched, other] {
        assert_eq!(fleet.owner(session).await, Some(second.id()));
    }
    let (status, ready) = readiness(&first.served).await;
    assert_eq!(status, 503, "{ready}");
    assert!(ready.to_string().contains("\"drain\""), "{ready}");
    // The others know, and choose another instance.
    let known = fleet.coordination.instance(first.id()).await.unwrap();
    assert!(known.unwrap().load.drain.is_some());

    // A request to it is served all the same, by the other.
    let made = reqwest::Client::new()
        .post(first.served.url("/proliferate/sessions"))
        .bearer_auth(first.app.user_token(Person::Owner))
        .json(&json!({}));
    let made = made.send().await.unwrap();
    assert_eq!(made.status(), 201);
    let made: Value = made.json().await.unwrap();
    let new: SessionId = made["sessionId"].as_str().unwrap().parse().unwrap();
    assert_eq!(first.say(new, "Hello.").await.0, 202);
    assert_eq!(fleet.owner(new).await, Some(second.id()));
    // Again is no error, and no second beginning.
    assert_eq!(drain(&first, &first).await["drain"]["handedOver"], 2);

    let path = format!("/v1/fleet/instances/{}/drain", first.id());
    let (status, shown) = ask(&second, Method::DELETE, &path, Person::Admin).await;
    assert_eq!(status, 200, "{shown}");
    assert!(shown.get("drain").is_none(), "{shown}");
    assert_eq!(readiness(&first.served).await.0, 200);
    let mine = first.session().await;
    first.open(mine).await.unwrap();
    assert_eq!(fleet.owner(mine).await, Some(first.id()));
    // What was given away stays where it is.
    assert_eq!(fleet.owner(watched).await, Some(second.id()));
}

async fn a_turn_goes_on_where_its_session_went(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let second = fleet.join(&first).await;
    let session = first.session().await;
    first.open(session).await.unwrap();
    fleet.agent.hold();
    assert_eq!(first.say(session, "Think.").await.0, 202);
    let agent = &fleet.agent;
    eventually("it is at work", async || !agent.prompts().is_empty()).await;

    drain(&first, &first).await;
    // No client requests it: it was handed over with its agent.
    eventually("the other has it", async || {
        second.hub.registry.is_live(session)
    })
    .await;
    eventually("the other listens to its agent", async || {
        second.hub.fleet.load().await.running == 1
    })
    .await;
    assert_eq!(agent.aborts(), 0, "no turn is cut off");
    // A delivery whose response was late is repeated, under the id by which the agent knows it.
    let prompts = agent.prompts().into_iter();
    let ids: BTreeSet<_> = prompts
        .map(|prompt| prompt["messageID"].to_string())
        .collect();
    assert_eq!(ids.len(), 1, "nothing is said twice: {ids:?}");
}

async fn alone_sessions_are_let_go_and_none_is_opened(backend: Backend) {
    let (fleet, only) = Fleet::start(backend).await;
    let session = only.session().await;
    only.open(session).await.unwrap();
    drain(&only, &only).await;
    eventually("it is empty", async || {
        only.hub.fleet.load().await.hubs() == 0
    })
    .await;
    let shown = show(&only, &only).await;
    assert_eq!(shown["drain"]["putAway"], 1, "{shown}");
    assert_eq!(fleet.owner(session).await, None);
    let (status, problem) = only.say(session, "Hello?").await;
    assert_eq!(
        (status, problem["code"].as_str()),
        (503, Some("OVERLOADED")),
        "{problem}"
    );
    assert!(only.hub.fleet.undrain());
    assert_eq!(only.say(session, "Again.").await.0, 202);
}

async fn tools_of_sandboxes_reach_the_owner_by_the_session_in_their_body(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let second = fleet
        .join_with(&first, |options| options.forward = false)
        .await;
    let third = fleet.join(&first).await;
    let session = first.session().await;
    first.open(session).await.unwrap();
    let call = async |one: &One| {
        let body = json!({"session_id": session.to_string(), "tool_call_id": "call_1"});
        let request = reqwest::Client::new()
            .post(one.served.url("/internal/tools/verify"))
            .bearer_auth(one.app.user_token(Person::Owner))
            .json(&body);
        let answer = request.send().await.unwrap();
        (
            answer.status().as_u16(),
            answer.json::<Value>().await.unwrap(),
        )
    };
    // One that does not carry names the owner; one that does answers as the owner would.
    let (status, problem) = call(&second).await;
    assert_eq!(
        (status, &problem["ownerUrl"]),
        (409, &Value::from(first.url())),
        "{problem}"
    );
    let (by_owner, by_other) = (call(&first).await, call(&third).await);
    assert_eq!(by_owner.0, by_other.0, "{by_other:?}");
    assert_eq!(by_owner.1["code"], by_other.1["code"]);
    assert!(first.hub.registry.is_live(session) && !third.hub.registry.is_live(session));
}
