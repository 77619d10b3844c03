//! A session moves from one sandbox to the next, with a provider that fails when it is told to and agents without a mind.

use std::time::Duration;

use domain::{
    id::SessionId,
    lease::LeaseKey,
    limits::{HUB_PROMPTS_QUEUED_MAX, MIGRATION_RETRY_AFTER},
};
use hub::session::{HubError, NewPrompt};
use sandbox::fake::Operation;
use serde_json::{Value, json};
use testkit::{app::Person, database::Backend, standin::agent::Agent};
use tokio::sync::mpsc;
use wire::{job::MigrationKind, live::MigrationReason};

use crate::{
    migration_scene::Scene,
    stage::{eventually, until_it},
};

testkit::on_both_databases!(
    people_go_on_typing_while_a_boot_fails_and_nothing_is_lost,
    a_call_of_the_agent_is_held_and_answered,
    one_move_at_a_time_and_no_more_prompts_than_can_wait,
    an_unused_session_is_paused_instead,
    a_sandbox_that_died_meanwhile_is_followed_by_what_was_saved_before,
);

fn moved(state: &'static str) -> impl Fn(&Value) -> bool {
    move |frame| frame["type"] == "migration" && frame["payload"]["state"] == state
}

type Frames = mpsc::Receiver<hub::ClientFrame>;

/// Says things one after the other until a move of the session is over.
async fn typing(
    scene: &Scene,
    id: SessionId,
    frames: &mut Frames,
    end: &'static str,
) -> Vec<String> {
    let mut said = Vec::new();
    let seen = async {
        until_it(frames, end, moved(end)).await;
    };
    tokio::pin!(seen);
    loop {
        let text = format!("{end} {}", said.len());
        scene.say(id, &text).await.unwrap();
        said.push(text);
        tokio::select! {
            () = &mut seen => return said,
            () = tokio::time::sleep(Duration::from_millis(20)) => {}
        }
    }
}

async fn people_go_on_typing_while_a_boot_fails_and_nothing_is_lost(backend: Backend) {
    let scene = Scene::set(backend).await;
    let first = scene.agent().await;
    let id = scene.up().await;
    let watched = scene
        .hub
        .watchers
        .watch(&scene.app.access(id).await, None, None)
        .await;
    let mut watching = watched.unwrap();
    let old = scene.sandbox(id).await.unwrap();
    scene.fake.turn(|knobs| {
        knobs
            .slow
            .insert(Operation::Snapshot, Duration::from_millis(150));
        let full = sandbox::Error::failed("making the sandbox", "the disk is full");
        knobs.fail_next(Operation::Create, full);
    });

    // The first one comes to nothing, and the session goes on where it was.
    let begun = scene.migrate(id).await.unwrap();
    assert_eq!(begun.kind, MigrationKind::Move);
    let status = until_it(&mut watching.frames, "the status", |frame| {
        frame["type"] == "status" && frame["payload"]["status"] == "migrating"
    });
    let seen = status.await;
    assert!(seen.iter().any(moved("started")), "{seen:#?}");
    let mut said = typing(&scene, id, &mut watching.frames, "failed").await;
    begun.wait().await;
    assert_eq!(scene.sandbox(id).await, Some(old.clone()));
    let all = said.clone();
    eventually("the old agent has all", async || first.texts() == all).await;
    assert_eq!(scene.hub.sandboxes.migrate_due().await, 0, "not yet");

    // Two minutes later it is tried again.
    let second = scene.agent().await;
    scene.app.clock.advance(MIGRATION_RETRY_AFTER);
    let hub = &scene.hub;
    eventually("it is tried again", async || {
        hub.sandboxes.migrate_due().await == 1
    })
    .await;
    let later = typing(&scene, id, &mut watching.frames, "completed").await;
    let new = scene.sandbox(id).await.unwrap();
    assert_ne!(new.id, old.id);
    assert!(
        new.incarnation.0 > old.incarnation.0 + 1,
        "a number is used once"
    );
    scene.say(id, "After.").await.unwrap();
    let after: Vec<String> = later.iter().cloned().chain(["After.".to_owned()]).collect();
    // What was typed before the second move began was the old agent's.
    eventually("all is delivered", async || {
        first.texts().len() + beyond(&first, &second).len() == said.len() + after.len()
    })
    .await;
    said.extend(after);
    let mut told = first.texts();
    told.extend(beyond(&first, &second));
    assert_eq!(told, said, "in its order, nothing dropped, nothing twice");
    assert_eq!(second.texts().last().map(String::as_str), Some("After."));
    scene.has_sandboxes(1).await;
    gaps_are_reported(&scene, id).await;
}

/// What an agent was told that the one before it was not. It has neither mind nor memory, so what no answer began is
/// given to it again, before all else.
fn beyond(before: &Agent, after: &Agent) -> Vec<String> {
    let (known, told) = (before.texts(), after.texts());
    told.into_iter()
        .skip_while(|text| known.contains(text))
        .collect()
}

/// What the log says of both moves.
async fn gaps_are_reported(scene: &Scene, id: SessionId) {
    let mut conn = scene.app.app.db.read().await.unwrap();
    let log = store::session_event_list(&mut conn, &scene.app.acme, id, 0, 500).await;
    let frames: Vec<Value> = log
        .unwrap()
        .iter()
        .map(|event| serde_json::from_str(hub::log::LogEntry::from(event).frame()).unwrap())
        .collect();
    let moves: Vec<&Value> = frames
        .iter()
        .filter(|frame| frame["type"] == "migration")
        .map(|frame| &frame["payload"])
        .collect();
    let states: Vec<&str> = moves
        .iter()
        .filter_map(|one| one["state"].as_str())
        .collect();
    assert_eq!(states, ["started", "failed", "started", "completed"]);
    assert!(moves[1]["error"].as_str().unwrap().contains("disk is full"));
    assert!(moves[1]["retryAt"].is_i64() && moves[0]["expiresAt"].is_i64());
    for end in [moves[1], moves[3]] {
        assert!(end["gapMs"].is_u64(), "{end}");
        assert!(end["queued"].as_u64().unwrap() > 0, "{end}");
        assert_eq!(end["lost"], json!([]));
    }
    let stages: Vec<&str> = frames
        .iter()
        .rev()
        .take_while(|frame| *frame["payload"].get("state").unwrap_or(&Value::Null) != "started")
        .filter(|frame| frame["type"] == "boot_step")
        .filter_map(|frame| frame["payload"]["stage"].as_str())
        .collect();
    let expected = [
        "stream", "agent", "files", "repo", "sandbox", "snapshot", "quiesce", "settle",
    ];
    assert_eq!(stages, expected);
}

async fn a_call_of_the_agent_is_held_and_answered(backend: Backend) {
    let scene = Scene::set(backend).await;
    scene.agent().await;
    let id = scene.up().await;
    let watched = scene
        .hub
        .watchers
        .watch(&scene.app.access(id).await, None, None)
        .await;
    let mut watching = watched.unwrap();
    let slow = Duration::from_millis(500);
    scene
        .fake
        .turn(|knobs| _ = knobs.slow.insert(Operation::Create, slow));
    // The old sandbox's, whose token is dead afterwards.
    let agent = scene.app.sandbox(id).await;
    let path = format!("/proliferate/{id}/tools/save_snapshot");
    let call = || {
        let body = json!({"tool_call_id": "call-1", "args": {}});
        let version = agent::tool::Tool::SaveSnapshot.spec().version.to_string();
        agent
            .post(&path, body)
            .header(app::callbacks::VERSION_HEADER, &version)
    };
    scene.migrate(id).await.unwrap();
    let saved =
        |frame: &Value| frame["type"] == "boot_step" && frame["payload"]["stage"] == "snapshot";
    until_it(&mut watching.frames, "that it is saved", saved).await;
    let before = snapshots(&scene);
    let (answer, ()) = tokio::join!(call(), async {
        until_it(&mut watching.frames, "the end", moved("completed")).await;
    });
    let told = answer.expect(200);
    assert_eq!(told["success"], true, "{told}");
    assert_eq!(snapshots(&scene), before + 1, "done once, after the move");
    call().await.expect(401);
}

fn snapshots(scene: &Scene) -> usize {
    let calls = scene.fake.calls().into_iter();
    calls.filter(|call| *call == Operation::Snapshot).count()
}

async fn one_move_at_a_time_and_no_more_prompts_than_can_wait(backend: Backend) {
    let scene = Scene::set(backend).await;
    let agent = scene.agent().await;
    let id = scene.up().await;
    let watched = scene
        .hub
        .watchers
        .watch(&scene.app.access(id).await, None, None)
        .await;
    let _watching = watched.unwrap();
    agent.hold();
    scene.say(id, "Think.").await.unwrap();
    eventually("it is at work", async || agent.texts().len() == 1).await;
    let (owner, path) = (scene.app.owner(), format!("/v1/sessions/{id}/migrate"));
    let member = scene.app.person(Person::Member);
    member.post(&path, json!({})).await.expect(403);
    let begun = owner.post(&path, json!({})).await.expect(202);
    assert_eq!(begun["how"], "move");
    let refused = owner.post(&path, json!({})).await;
    refused.expect_problem(409, "CONFLICT");
    // Another instance does not move it either, nor does it have it.
    let holder = scene.coordination.owner(LeaseKey::Migration(id)).await;
    assert_eq!(holder.unwrap(), Some(scene.app.app.instance.id));

    for number in 0..HUB_PROMPTS_QUEUED_MAX {
        scene.say(id, &number.to_string()).await.unwrap();
    }
    let over = scene.say(id, "One too many.").await.unwrap_err();
    assert_eq!(over, HubError::MovingFull);
    assert!(over.to_string().contains("moves to a fresh sandbox"));
    assert_eq!(agent.texts().len(), 1, "they wait");
    let next = scene.agent().await;
    agent.finish();
    eventually("all is delivered in order", async || {
        beyond(&agent, &next).len() == HUB_PROMPTS_QUEUED_MAX
    })
    .await;
    let expected: Vec<String> = (0..HUB_PROMPTS_QUEUED_MAX).map(|n| n.to_string()).collect();
    assert_eq!(beyond(&agent, &next), expected);
    assert_eq!(agent.aborts(), 0, "it was waited for");
    let free = &scene.coordination;
    eventually("the lock is free", async || {
        free.owner(LeaseKey::Migration(id)).await.unwrap().is_none()
    })
    .await;
}

/// Everything of the process ends at once, while the successor's files are written. Connections of a pool would end with
/// it, so this is on SQLite alone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_dies_in_the_middle_leaves_a_session_that_goes_on() {
    let scene = Scene::set(Backend::Sqlite).await;
    let agent = scene.agent().await;
    let (dying, hub) = scene.beside().await;
    let life = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let made = scene.app.owner().post("/proliferate/sessions", json!({}));
    let id: SessionId = made.await.expect(201)["sessionId"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let (steering, fake) = (scene.app.steering(id).await.unwrap(), scene.fake.clone());
    let moving = life.spawn(async move {
        let handle = hub.registry.open(&steering).await.unwrap();
        handle.ensure_ready().await.unwrap();
        let _seat = handle.join(None).await.unwrap();
        let forever = Duration::from_hours(1);
        fake.turn(|knobs| _ = knobs.slow.insert(Operation::Write, forever));
        let begun = hub
            .sandboxes
            .migrate(&steering, MigrationReason::Asked)
            .await;
        let prompt = NewPrompt {
            text: "Meanwhile.".to_owned(),
            ..NewPrompt::default()
        };
        handle.prompt(prompt).await.unwrap();
        begun.unwrap().wait().await;
    });
    scene.has_sandboxes(2).await;
    let mut on_record = None;
    let (db, acme) = (scene.app.app.db.clone(), scene.app.acme.clone());
    eventually("the successor is on record", async || {
        let mut conn = db.read().await.unwrap();
        on_record = store::session_successor_sandbox(&mut conn, &acme, id)
            .await
            .unwrap();
        let log = store::session_event_list(&mut conn, &acme, id, 0, 500)
            .await
            .unwrap();
        let is_said = |event: &domain::session_event::SessionEvent| {
            hub::log::LogEntry::from(event)
                .frame()
                .contains("Meanwhile.")
        };
        on_record.is_some() && log.iter().any(is_said)
    })
    .await;
    let old = scene.sandbox(id).await.unwrap();
    life.shutdown_background();
    drop(moving);

    // Their leases end, and the next instance goes on in the old sandbox.
    let dead = dying.app.instance.id;
    for key in [
        LeaseKey::Owner(id),
        LeaseKey::Runtime(id),
        LeaseKey::Migration(id),
    ] {
        scene.coordination.release(key, dead).await.unwrap();
    }
    scene.fake.turn(|knobs| knobs.slow.clear());
    let handle = scene
        .hub
        .registry
        .open(&scene.app.steering(id).await.unwrap())
        .await
        .unwrap();
    handle.ensure_ready().await.unwrap();
    assert_eq!(scene.sandbox(id).await, Some(old.clone()));
    eventually("what waited is delivered", async || {
        agent.texts() == ["Meanwhile."]
    })
    .await;
    scene.has_sandboxes(1).await;
    // The number of the one that was left is not used again.
    let _seat = handle.join(None).await.unwrap();
    scene.migrate(id).await.unwrap().wait().await;
    let new = scene.sandbox(id).await.unwrap();
    assert_eq!(new.incarnation.0, old.incarnation.0 + 2);
    scene.has_sandboxes(1).await;
}

async fn an_unused_session_is_paused_instead(backend: Backend) {
    let scene = Scene::set(backend).await;
    scene.agent().await;
    let id = scene.up().await;
    let begun = scene.migrate(id).await.unwrap();
    assert_eq!(begun.kind, MigrationKind::Pause);
    begun.wait().await;
    let shown = scene.shown(id).await;
    assert_eq!(shown["status"], "paused", "{shown}");
    assert!(shown["snapshotId"].is_string());
    assert_eq!(
        (scene.sandbox(id).await, scene.hub.registry.is_live(id)),
        (None, false)
    );
    scene.has_sandboxes(0).await;
    let path = format!("/v1/sessions/{id}/migrate");
    let again = scene.app.owner().post(&path, json!({})).await;
    again.expect_problem(409, "INVALID_STATE");
}

async fn a_sandbox_that_died_meanwhile_is_followed_by_what_was_saved_before(backend: Backend) {
    let scene = Scene::set(backend).await;
    let agent = scene.agent().await;
    let id = scene.up().await;
    let watched = scene
        .hub
        .watchers
        .watch(&scene.app.access(id).await, None, None)
        .await;
    let mut watching = watched.unwrap();
    scene
        .hub
        .sandboxes
        .save_snapshot(&scene.app.steering(id).await.unwrap())
        .await
        .unwrap();
    agent.hold();
    scene.say(id, "Think.").await.unwrap();
    eventually("it is at work", async || agent.texts().len() == 1).await;
    scene.migrate(id).await.unwrap();
    scene.fake.kill(&scene.sandbox(id).await.unwrap());
    let next = scene.agent().await;
    agent.finish();
    scene.say(id, "Go on.").await.unwrap();
    let end = until_it(&mut watching.frames, "the end", moved("completed")).await;
    let lost = &end.last().unwrap()["payload"]["lost"];
    assert!(
        lost[0]
            .as_str()
            .unwrap()
            .contains("whatever was not in it is lost"),
        "{lost}"
    );
    eventually("it goes on", async || next.texts() == ["Go on."]).await;
    scene.has_sandboxes(1).await;
}
