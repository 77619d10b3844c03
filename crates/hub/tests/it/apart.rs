//! What one organization waits for holds up no other: sandboxes that are saved to make room, and boots of sessions that
//! were handed over. And what was stored under a reserved name stays out of a sandbox.

use std::time::Duration;

use bytes::Bytes;
use domain::{
    id::SessionId,
    lease::{LeaseKey, Topic},
    limits::ADOPT_AT_ONCE,
    secret::{SecretScope, associated_data},
};
use hub::{Hub, HubLimits, session::Handle};
use sandbox::fake::Operation;
use serde_json::json;
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};
use tokio::time::timeout;

use crate::{
    agent::PATIENCE,
    migration_scene::Scene,
    stage::{eventually, until_it},
};

testkit::on_both_databases!(
    while_a_session_is_saved_to_make_room_another_organization_opens_one,
    boots_that_are_slow_keep_no_other_session_without_an_owner,
    what_was_stored_under_a_reserved_name_is_left_out_and_told,
);

/// Longer than any test lasts.
const FOR_EVER: Duration = Duration::from_hours(1);
/// Of which one organization may have nine.
const HUBS_MAX: usize = 10;

async fn session_of(app: &TestApp, person: Person) -> SessionId {
    let made = app.person(person).post("/proliferate/sessions", json!({}));
    let made = made.await.expect(201);
    made["sessionId"].as_str().unwrap().parse().unwrap()
}

async fn open(
    (app, hub): (&TestApp, &Hub),
    person: Person,
    id: SessionId,
) -> Result<Handle, app::Error> {
    let organization_id = app.organization_of(person);
    let steering = app.steering_in(organization_id, id).await?;
    hub.registry.open(&steering).await
}

async fn while_a_session_is_saved_to_make_room_another_organization_opens_one(backend: Backend) {
    let scene = Scene::set(backend).await;
    let _agent = scene.agent().await;
    let bounds = HubLimits {
        hubs_max: HUBS_MAX,
        idle_ttl: FOR_EVER,
    };
    let hub = scene.hub.clone().with_limits(bounds);
    let here = (&scene.app, &hub);
    let with_sandbox = scene.up().await;
    scene.app.clock.advance(Duration::from_secs(1));
    for _ in 1..HUBS_MAX - 1 {
        let id = session_of(&scene.app, Person::Owner).await;
        open(here, Person::Owner, id).await.unwrap();
    }
    let theirs = session_of(&scene.app, Person::Foreigner).await;
    open(here, Person::Foreigner, theirs).await.unwrap();

    scene
        .fake
        .turn(|knobs| _ = knobs.slow.insert(Operation::Snapshot, FOR_EVER));
    let more = session_of(&scene.app, Person::Owner).await;
    let steering = scene.app.steering(more).await.unwrap();
    let waiting = hub.clone();
    let waiting = tokio::spawn(async move { waiting.registry.open(&steering).await });
    eventually(
        "the session that was not used for the longest time is saved",
        async || scene.fake.calls().contains(&Operation::Snapshot),
    )
    .await;
    assert!(!hub.registry.is_live(with_sandbox));

    let another = session_of(&scene.app, Person::Foreigner).await;
    let opened = timeout(PATIENCE, open(here, Person::Foreigner, another)).await;
    opened.expect("it does not wait for that").unwrap();
    assert!(hub.registry.is_live(another));
    assert!(!waiting.is_finished());
    waiting.abort();
}

async fn boots_that_are_slow_keep_no_other_session_without_an_owner(backend: Backend) {
    let scene = Scene::set(backend).await;
    let _agent = scene.agent().await;
    scene
        .fake
        .turn(|knobs| _ = knobs.slow.insert(Operation::Create, FOR_EVER));
    let here = scene.app.app.instance.id;
    let hub = scene.hub.clone();
    let answering = tokio::spawn(async move { hub.fleet.receive_peer_messages().await });
    let hand_over = async |person: Person| {
        let id = session_of(&scene.app, person).await;
        let organization_id = scene.app.organization_of(person).to_string();
        let call = json!({"type": "adopt", "organization_id": organization_id, "session_id": id.to_string(),
            "wants_agent": true});
        let call = Bytes::from(call.to_string());
        // The first is sent until the instance listens.
        eventually("it is taken", async || {
            let topic = Topic::Instance(here);
            scene
                .coordination
                .publish(topic, call.clone())
                .await
                .unwrap();
            let owner = scene.coordination.owner(LeaseKey::Owner(id)).await;
            owner.unwrap() == Some(here)
        })
        .await;
    };
    for _ in 0..ADOPT_AT_ONCE {
        hand_over(Person::Owner).await;
    }
    hand_over(Person::Foreigner).await;
    answering.abort();
}

async fn what_was_stored_under_a_reserved_name_is_left_out_and_told(backend: Backend) {
    let scene = Scene::set(backend).await;
    let _agent = scene.agent().await;
    let app = &scene.app.app;
    let mut tx = app.db.write().await.unwrap();
    for key in [
        "HOME",
        "OPENCODE_PERMISSION",
        "npm_config_script_shell",
        "GREETING",
    ] {
        let scope = SecretScope::Organization;
        let mut secret = scene.app.fixture.secret(&scene.app.acme, scope, key);
        let associated = associated_data(&scene.app.acme, scope, key);
        let sealed = app.keyring.seal(&*app.entropy, &associated, "of a member");
        secret.sealed_value = sealed.unwrap();
        store::secret_insert(&mut tx, &secret).await.unwrap();
    }
    tx.commit().await.unwrap();
    let id = session_of(&scene.app, Person::Owner).await;
    let watched = scene
        .hub
        .watchers
        .watch(&scene.app.access(id).await, None, None)
        .await;
    let mut watching = watched.unwrap();
    let handle = open((&scene.app, &scene.hub), Person::Owner, id).await;
    handle.unwrap().ensure_ready().await.unwrap();
    let seen = until_it(&mut watching.frames, "that they are left out", |frame| {
        let text = frame["payload"]["message"].as_str().unwrap_or_default();
        frame["type"] == "status" && text.contains("were left out")
    })
    .await;
    let told = seen.last().unwrap()["payload"]["message"].to_string();
    assert!(
        told.contains("HOME, OPENCODE_PERMISSION, npm_config_script_shell."),
        "{told}"
    );
    assert!(!told.contains("GREETING"), "{told}");

    let sandbox = scene.sandbox(id).await.unwrap();
    let env = scene.fake.env(&sandbox).unwrap();
    let of = |name: &str| {
        env.exposed()
            .find(|(own, _)| *own == name)
            .map(|(_, value)| value)
    };
    assert_eq!(of("GREETING"), Some("of a member"));
    for name in ["HOME", "OPENCODE_PERMISSION", "npm_config_script_shell"] {
        assert_ne!(of(name), Some("of a member"), "{name}");
    }
    // What the gateway sets for its agent is there.
    for name in [
        "OPENCODE_CONFIG_CONTENT",
        "npm_config_offline",
        "WORKSPACE_DIR",
    ] {
        assert!(of(name).is_some(), "{name}");
    }
}
