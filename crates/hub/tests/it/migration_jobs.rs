//! The two that see to a session before its sandbox ends: the instance that serves it, and the durable job.

use app::jobs;
use domain::{
    id::SessionId,
    limits::{LEASE_TTL, MIGRATION_AHEAD, MIGRATION_DEFER},
};
use serde_json::{Value, json};
use testkit::{app::Person, database::Backend};

use crate::{
    migration_scene::{LIFE, Scene},
    stage::eventually,
};

testkit::on_both_databases!(
    the_instance_that_serves_a_session_moves_it_in_time_and_the_job_leaves_it_alone,
    one_of_many_workers_pauses_a_session_without_an_owner,
    a_sandbox_that_ended_by_itself_is_put_on_record,
    jobs_are_shown_to_admins_alone,
);

async fn jobs_of(scene: &Scene, query: &str) -> Vec<Value> {
    let admin = scene.app.person(Person::Admin);
    let shown = admin.get(&format!("/v1/jobs{query}")).await.expect(200);
    shown["items"].as_array().unwrap().clone()
}

async fn expiry_of(scene: &Scene) -> Value {
    let all = jobs_of(scene, "").await;
    let found = all.into_iter().find(|job| job["kind"] == "session_expiry");
    found.unwrap()
}

/// Releases the session: it has no owner any more, and its sandbox goes on.
pub(crate) async fn release_session(scene: &Scene, id: SessionId) {
    let handle = scene
        .hub
        .registry
        .open(&scene.app.steering(id).await.unwrap())
        .await
        .unwrap();
    handle.stop().await;
    let hub = &scene.hub;
    eventually("it is released", async || !hub.registry.is_live(id)).await;
    let owner = domain::lease::LeaseKey::Owner(id);
    let coordination = &scene.coordination;
    eventually("its lease is free", async || {
        coordination.owner(owner).await.unwrap().is_none()
    })
    .await;
}

async fn the_instance_that_serves_a_session_moves_it_in_time_and_the_job_leaves_it_alone(
    backend: Backend,
) {
    let scene = Scene::set(backend).await;
    scene.agent().await;
    let id = scene.up().await;
    let handle = scene
        .hub
        .registry
        .open(&scene.app.steering(id).await.unwrap())
        .await
        .unwrap();
    let _seat = handle.join(None).await.unwrap();
    let old = scene.sandbox(id).await.unwrap();
    assert!(old.expires_at.is_some());
    assert_eq!(scene.hub.sandboxes.migrate_due().await, 0);
    assert_eq!(jobs::run_due(&scene.app.app).await.unwrap(), 0);

    scene
        .app
        .clock
        .advance(LIFE.saturating_sub(MIGRATION_AHEAD));
    assert_eq!(jobs::run_due(&scene.app.app).await.unwrap(), 1);
    let job = expiry_of(&scene).await;
    assert_eq!(
        (&job["state"], &job["attempts"]),
        (&json!("waiting"), &json!(0))
    );
    assert!(
        job["note"].as_str().unwrap().contains("serves the session"),
        "{job}"
    );
    assert_eq!(scene.sandbox(id).await, Some(old.clone()), "it did nothing");

    let hub = &scene.hub;
    eventually("it leaves by its own clock", async || {
        hub.sandboxes.migrate_due().await == 1
    })
    .await;
    let scene = &scene;
    eventually("it is in another", async || {
        scene.sandbox(id).await.is_some_and(|new| new.id != old.id)
    })
    .await;
    let new = scene.sandbox(id).await.unwrap();
    assert!(new.expires_at > old.expires_at);
    assert_eq!(hub.sandboxes.migrate_due().await, 0, "there is time again");
    // The job is about the new one now; what was left behind is looked after, too.
    scene.app.clock.advance(MIGRATION_DEFER);
    assert_eq!(jobs::run_due(&scene.app.app).await.unwrap(), 1);
    let done = jobs_of(scene, "?state=done").await;
    assert_eq!(
        (done.len(), &done[0]["kind"]),
        (1, &json!("sandbox_remove"))
    );
    assert_eq!(expiry_of(scene).await["state"], "waiting");
}

async fn one_of_many_workers_pauses_a_session_without_an_owner(backend: Backend) {
    let scene = Scene::set(backend).await;
    scene.agent().await;
    let id = scene.up().await;
    release_session(&scene, id).await;
    assert_eq!(scene.fake.labels().len(), 1);
    let (other, _house) = scene.beside().await;
    for app in [&scene.app, &other] {
        app.clock.advance(LIFE.saturating_sub(MIGRATION_AHEAD));
    }
    let (one, two) = tokio::join!(jobs::run_due(&scene.app.app), jobs::run_due(&other.app));
    assert_eq!(one.unwrap() + two.unwrap(), 1, "one of them");
    let shown = scene.shown(id).await;
    assert_eq!(shown["status"], "paused", "{shown}");
    assert!(
        shown["reason"].as_str().unwrap().contains("about to end"),
        "{shown}"
    );
    assert_eq!(scene.sandbox(id).await, None);
    assert_eq!(scene.fake.labels(), [] as [String; 0]);
    assert_eq!(expiry_of(&scene).await["state"], "done");
}

async fn a_sandbox_that_ended_by_itself_is_put_on_record(backend: Backend) {
    let scene = Scene::set(backend).await;
    scene.agent().await;
    let id = scene.up().await;
    release_session(&scene, id).await;
    scene.fake.kill(&scene.sandbox(id).await.unwrap());
    scene.app.clock.advance(LIFE + LEASE_TTL);
    assert_eq!(jobs::run_due(&scene.app.app).await.unwrap(), 1);
    let shown = scene.shown(id).await;
    assert_eq!(shown["status"], "paused", "{shown}");
    assert!(
        shown["reason"].as_str().unwrap().contains("ended before"),
        "{shown}"
    );
    assert_eq!(expiry_of(&scene).await["state"], "done");
}

async fn jobs_are_shown_to_admins_alone(backend: Backend) {
    let scene = Scene::set(backend).await;
    scene.agent().await;
    let id = scene.up().await;
    let job = expiry_of(&scene).await;
    assert_eq!(job["sessionId"], id.to_string());
    assert!(job["runAt"].is_string() && job["claimedBy"].is_null());
    assert_eq!(jobs_of(&scene, "?state=failed").await.len(), 0);
    scene.app.member().get("/v1/jobs").await.expect(403);
    scene.app.owner().get("/v1/jobs?state=x").await.expect(400);
    let foreign = scene.app.foreigner().get("/v1/jobs").await.expect(200);
    assert_eq!(foreign["items"], json!([]));
    let admin = scene.app.person(Person::Admin);
    let fleet = admin.get("/v1/fleet").await.expect(200);
    let expected = json!({"waiting": 1, "due": 0, "running": 0, "failed": 0});
    assert_eq!(fleet["jobs"], expected);
}
