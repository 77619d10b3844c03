//! Sessions without clients are evicted after a while, or when another needs the capacity; and nothing of them is
//! left.

use std::time::Duration;

use domain::{id::SessionId, limits::HUB_IDLE_TTL};
use hub::HubLimits;
use serde_json::{Value, json};
use testkit::database::Backend;

use super::{Fleet, One, eventually, id};

testkit::on_both_databases!(
    who_is_watched_at_work_or_just_used_stays,
    the_one_that_was_not_used_for_the_longest_time_makes_room,
    a_full_house_says_when_to_come_back,
    a_session_of_a_run_that_is_not_over_stays,
    an_organization_with_many_sessions_leaves_the_last_places_to_others,
);

/// Below the time that an agent may say nothing.
const IDLE_TTL: Duration = Duration::from_mins(1);

async fn small(backend: Backend, hubs_max: usize) -> (Fleet, One) {
    let (fleet, first) = Fleet::start(backend).await;
    let bounds = HubLimits {
        hubs_max,
        idle_ttl: IDLE_TTL,
    };
    let One { app, .. } = first;
    let one = fleet.serve(app, bounds).await;
    (fleet, one)
}

async fn who_is_watched_at_work_or_just_used_stays(backend: Backend) {
    let (fleet, one) = small(backend, 500).await;
    let (watched, busy, idle) = (
        one.session().await,
        one.session().await,
        one.session().await,
    );
    let mut socket = one.connect(watched, "").await;
    socket.next_of("init").await;
    fleet.agent.hold();
    let (status, _) = one.say(busy, "Think.").await;
    assert_eq!(status, 202);
    let agent = &fleet.agent;
    eventually("it is at work", async || !agent.prompts().is_empty()).await;
    let handle = one.open(idle).await.unwrap();
    assert_eq!(one.hub.fleet.evict_idle().await, 0, "all were just used");

    one.app.clock.advance(IDLE_TTL);
    assert_eq!(one.hub.fleet.evict_idle().await, 1);
    assert!(handle.is_gone() && !one.hub.registry.is_live(idle));
    assert_eq!(fleet.owner(idle).await, None, "its lease is free");
    assert!(one.hub.registry.is_live(watched) && one.hub.registry.is_live(busy));

    // It resumes when a client reconnects.
    let mut again = one.connect(idle, "").await;
    again.next_of("init").await;
    drop(again);
    eventually("its client is gone", async || {
        one.hub.fleet.load().await.clients == 1
    })
    .await;
    one.app.clock.advance(IDLE_TTL);
    assert_eq!(one.hub.fleet.evict_idle().await, 1);
}

async fn the_one_that_was_not_used_for_the_longest_time_makes_room(backend: Backend) {
    let (_fleet, one) = small(backend, 3).await;
    let mut sessions = Vec::new();
    for _ in 0..4 {
        sessions.push(one.session().await);
    }
    let tick = || one.app.clock.advance(Duration::from_secs(1));
    for session in &sessions[..3] {
        one.open(*session).await.unwrap();
        tick();
    }
    // The oldest is used again.
    let oldest = one.open(sessions[0]).await.unwrap();
    oldest.attach(None).await.unwrap();
    tick();
    one.open(sessions[3]).await.unwrap();
    let here: Vec<bool> = sessions
        .iter()
        .map(|id| one.hub.registry.is_live(*id))
        .collect();
    assert_eq!(here, [true, false, true, true]);
}

async fn a_full_house_says_when_to_come_back(backend: Backend) {
    let (_fleet, one) = small(backend, 1).await;
    let (watched, other) = (one.session().await, one.session().await);
    let mut socket = one.connect(watched, "").await;
    socket.next_of("init").await;
    let path = format!("/proliferate/{other}/cancel");
    let answer = reqwest::Client::new()
        .post(one.served.url(&path))
        .bearer_auth(one.app.user_token(testkit::app::Person::Owner))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 503);
    assert_eq!(answer.headers()["retry-after"], "10");
    let problem: Value = answer.json().await.unwrap();
    assert_eq!(problem["code"], "OVERLOADED");
    // No session is evicted for one that does not exist.
    let handle = one.open(watched).await.unwrap();
    drop(socket);
    // Its agent, which came up with the client, waits too.
    eventually("it rests", async || {
        handle
            .read_activity()
            .await
            .is_ok_and(|pulse| pulse.is_resting)
    })
    .await;
    let unknown: SessionId = crate::support::UNKNOWN_ID.parse().unwrap();
    assert_eq!(one.say(unknown, "x").await.0, 404);
    assert!(one.hub.registry.is_live(watched));
    assert_eq!(one.say(other, "Now.").await.0, 202);
    assert!(!one.hub.registry.is_live(watched));
}

async fn an_organization_with_many_sessions_leaves_the_last_places_to_others(backend: Backend) {
    let (_fleet, one) = small(backend, 10).await;
    let mut sockets = Vec::new();
    let mut sessions = Vec::new();
    for _ in 0..9 {
        let session = one.session().await;
        let mut socket = one.connect(session, "").await;
        socket.next_of("init").await;
        sockets.push(socket);
        sessions.push(session);
    }
    // All nine are in use, and the tenth place is not for this organization.
    let more = one.session().await;
    let (status, problem) = one.say(more, "x").await;
    assert_eq!(
        (status, problem["code"].as_str()),
        (503, Some("OVERLOADED"))
    );

    let foreigner = one.app.foreigner();
    let create = |title: &str| foreigner.post("/proliferate/sessions", json!({ "title": title }));
    let theirs: SessionId = id(&create("theirs").await.expect(201)).parse().unwrap();
    let answer = reqwest::Client::new()
        .post(one.served.url(&format!("/proliferate/{theirs}/message")))
        .bearer_auth(one.app.user_token(testkit::app::Person::Foreigner))
        .json(&json!({ "content": "Hello." }))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 202);
    assert!(one.hub.registry.is_live(theirs));

    // An idle session is evicted for its own organization, and not for one with more.
    drop(sockets.pop());
    eventually("a session rests", async || {
        one.hub.fleet.load().await.clients == 8
    })
    .await;
    one.app.clock.advance(Duration::from_secs(1));
    assert_eq!(one.say(more, "Now.").await.0, 202);
    assert!(
        !one.hub.registry.is_live(sessions[8]),
        "the one that rested made room"
    );
    assert!(one.hub.registry.is_live(theirs));
}

async fn a_session_of_a_run_that_is_not_over_stays(backend: Backend) {
    let (fleet, one) = small(backend, 500).await;
    let owner = one.app.owner();
    let body = json!({"name": "Nightly", "agentInstructions": "Look."});
    let automation = owner.post("/v1/automations", body).await.expect(201);
    let path = format!(
        "/v1/automations/{}/runs",
        automation["id"].as_str().unwrap()
    );
    let run = owner
        .call(axum::http::Method::POST, &path)
        .await
        .expect(201);
    let session: SessionId = run["sessionId"].as_str().unwrap().parse().unwrap();
    let handle = one.open(session).await.unwrap();
    let agent = &fleet.agent;
    eventually("it has been told", async || !agent.prompts().is_empty()).await;
    eventually("it waits", async || {
        handle.read_status().await.is_ok_and(|look| look.is_idle)
    })
    .await;
    one.app.clock.advance(IDLE_TTL);
    assert_eq!(one.hub.fleet.evict_idle().await, 0);
    assert!(one.hub.registry.is_live(session));
}

/// Opens and puts away so many, and looks whether anything of them is left.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_left_of_a_thousand_sessions() {
    const AT_ONCE: usize = 50;
    let (fleet, one) = Fleet::start(Backend::Sqlite).await;
    let metrics = tokio::runtime::Handle::current().metrics();
    // What the first one starts stays: connections, caches.
    live_and_leave(&one, AT_ONCE).await;
    let agent = &fleet.agent;
    eventually("all streams ended", async || agent.listeners() == 0).await;
    let (before, files) = (metrics.num_alive_tasks(), descriptors());
    for _ in 0..1000 / AT_ONCE {
        live_and_leave(&one, AT_ONCE).await;
    }
    assert_eq!(one.hub.fleet.load().await.hubs(), 0);
    eventually("all streams ended", async || agent.listeners() == 0).await;
    // Connections that wait for the next request have tasks; a leak would be a thousand.
    eventually("all tasks ended", async || {
        metrics.num_alive_tasks() <= before + AT_ONCE
    })
    .await;
    // Other tests of this process have some too; a leak would be a thousand.
    eventually("all descriptors are closed", async || {
        descriptors() <= files + 100
    })
    .await;
}

/// Files and sockets that this process has open.
fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

async fn live_and_leave(one: &One, count: usize) {
    let mut handles = Vec::new();
    for _ in 0..count {
        let session = one.session().await;
        let handle = one.open(session).await.unwrap();
        handle.ensure_ready().await.unwrap();
        handles.push(handle);
    }
    one.app.clock.advance(HUB_IDLE_TTL);
    eventually("all are put away", async || {
        one.hub.fleet.evict_idle().await;
        handles.iter().all(hub::session::Handle::is_gone)
    })
    .await;
}

/// A request for a session that is being evicted waits for that, and reopens it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_during_an_eviction_reopens_the_session() {
    let (_fleet, one) = Fleet::start(Backend::Sqlite).await;
    let session = one.session().await;
    for _ in 0..50 {
        let before = one.open(session).await.unwrap();
        one.app.clock.advance(HUB_IDLE_TTL);
        let (evicted, opened) = tokio::join!(one.hub.fleet.evict_idle(), one.open(session));
        let handle = opened.unwrap();
        let look = handle.read_status().await;
        // It may have been opened first: then it leaves, or stays because it was used.
        assert!(look.is_ok() || evicted == 1, "{look:?}");
        assert!(before.is_gone() || evicted == 0);
        one.open(session)
            .await
            .unwrap()
            .read_status()
            .await
            .unwrap();
    }
}
