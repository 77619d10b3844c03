//! Calls of an agent that arrive at an instance which does not serve their session, while the session moves.

use std::{sync::Arc, time::Duration};

use agent::tool::Tool;
use app::{callbacks::VERSION_HEADER, system::SystemClock};
use domain::{id::SessionId, instance::Instance, limits::INSTANCE_TTL};
use sandbox::fake::Operation;
use serde_json::{Value, json};
use testkit::{
    app::{Client, Served, TestResponse},
    database::Backend,
};

use crate::{migration_scene::Scene, stage::until_it};

testkit::on_both_databases!(
    a_call_that_arrives_elsewhere_is_held_and_answered_as_by_the_owner,
    who_cannot_ask_whose_a_session_is_does_nothing_for_its_agent,
);

/// How long a call is waited for, and how long the successor takes to be made.
const WAIT: Duration = Duration::from_millis(400);
const SLOW: Duration = Duration::from_secs(3);

/// Has the owner be found by the others.
async fn serve(scene: &Scene) -> Served {
    let served = scene.app.serve_hub(scene.hub.clone()).await;
    let owner = Instance {
        advertised_url: served.url(""),
        ..scene.app.app.instance.clone()
    };
    let announced = scene.coordination.announce(&owner, INSTANCE_TTL * 100);
    announced.await.unwrap();
    served
}

/// The same call by either of its ways.
async fn calls(agent: &Client, id: SessionId) -> [TestResponse; 2] {
    let version = Tool::SaveSnapshot.spec().version.to_string();
    let internal = json!({"session_id": id.to_string(), "tool_call_id": "call-1", "params": {}});
    let internal = agent
        .post("/internal/tools/save_snapshot", internal)
        .header(VERSION_HEADER, &version);
    let body = json!({"tool_call_id": "call-2", "args": {}});
    let path = format!("/proliferate/{id}/tools/save_snapshot");
    let named = agent.post(&path, body).header(VERSION_HEADER, &version);
    tokio::join!(internal, named).into()
}

async fn on_record(scene: &Scene, id: SessionId) -> usize {
    let path = format!("/v1/sessions/{id}/tool-calls");
    let listed = scene.app.owner().get(&path).await.expect(200);
    listed["items"].as_array().map_or(0, Vec::len)
}

fn snapshots(scene: &Scene) -> usize {
    let calls = scene.fake.calls().into_iter();
    calls.filter(|call| *call == Operation::Snapshot).count()
}

fn is_moved(frame: &Value) -> bool {
    frame["type"] == "migration" && frame["payload"]["state"] == "completed"
}

async fn a_call_that_arrives_elsewhere_is_held_and_answered_as_by_the_owner(backend: Backend) {
    let scene = Scene::answering_within(backend, Some(WAIT)).await;
    scene.agent().await;
    let id = scene.up().await;
    let _served = serve(&scene).await;
    let (other, hub) = scene.beside().await;
    let watched = scene
        .hub
        .watchers
        .watch(&scene.app.access(id).await, None, None)
        .await;
    let mut watching = watched.unwrap();
    scene
        .fake
        .turn(|knobs| _ = knobs.slow.insert(Operation::Create, SLOW));
    let old = other.sandbox(id).await;
    scene.migrate(id).await.unwrap();
    let saved =
        |frame: &Value| frame["type"] == "boot_step" && frame["payload"]["stage"] == "snapshot";
    until_it(&mut watching.frames, "that it is saved", saved).await;
    let before = snapshots(&scene);

    // Nothing of it has begun while its session is between two sandboxes.
    for answer in calls(&old, id).await {
        answer.expect(202);
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    assert_eq!(on_record(&scene, id).await, 0);
    until_it(&mut watching.frames, "the end", is_moved).await;
    let new = other.sandbox(id).await;
    let [internal, named] = loop {
        let answers = calls(&new, id).await;
        if answers.iter().all(|answer| answer.status != 202) {
            break answers;
        }
    };
    let (internal, named) = (internal.expect(200), named.expect(200));
    assert!(internal["result"]["snapshotId"].is_string(), "{internal}");
    assert_eq!(named["success"], true, "{named}");
    assert_eq!(snapshots(&scene), before + 2, "each done once");
    let [again, named_again] = calls(&new, id).await;
    assert_eq!(again.expect(200), internal);
    assert_eq!(named_again.expect(200), named);
    assert_eq!(snapshots(&scene), before + 2, "and not again");
    assert!(scene.hub.registry.is_live(id) && !hub.registry.is_live(id));
    for answer in calls(&old, id).await {
        answer.expect(401);
    }
}

async fn who_cannot_ask_whose_a_session_is_does_nothing_for_its_agent(backend: Backend) {
    let scene = Scene::set(backend).await;
    scene.agent().await;
    let id = scene.up().await;
    // No server listens there.
    let clock = Arc::new(SystemClock::new());
    let nothing = coord::open("redis://127.0.0.1:1", clock).unwrap();
    let (other, _) = scene.beside_by(&nothing).await;
    for answer in calls(&other.sandbox(id).await, id).await {
        answer.expect_problem(503, "COORDINATION_UNAVAILABLE");
    }
    assert_eq!(on_record(&scene, id).await, 0);
    assert_eq!(snapshots(&scene), 0);
}
