//! Limits of an organization where sessions start: no more start than may, on any instance, and what rests for a limit of
//! the day goes on when the day is over or the limit is raised.

use std::time::Duration;

use app::jobs;
use domain::{id::SessionId, model_usage::Usage};
use hub::session::{BootErrorCause, HubError};
use serde_json::{Value, json};
use testkit::{
    app::{FakeAdmission, TestApp},
    database::Backend,
};

use crate::{migration_jobs::release_session, migration_scene::Scene, stage::eventually};

testkit::on_both_databases!(
    no_more_sessions_start_than_the_organization_may_have,
    of_many_that_start_at_once_on_two_instances_as_many_start_as_may,
    a_paused_session_counts_for_no_limit_and_is_resumed_within_it,
    a_session_that_rests_for_the_day_goes_on_when_the_day_is_over,
    a_session_that_rests_for_the_day_goes_on_when_the_limit_is_raised,
    a_session_that_is_not_admitted_starts_nothing,
);

async fn limit(app: &TestApp, name: &str, value: Value) {
    let mut body = json!({"liveSessions": null, "sandboxes": null, "storageBytes": null,
        "spendDayMicroUsd": null, "spendMonthMicroUsd": null, "approvalSeconds": null});
    body[name] = value;
    let call = app
        .owner()
        .call("PUT".parse().unwrap(), "/v1/organization/limits");
    call.json(&body).await.expect(200);
}

async fn used(app: &TestApp) -> Value {
    app.owner().get("/v1/organization/limits").await.expect(200)["used"].clone()
}

async fn created(app: &TestApp) -> SessionId {
    let made = app.owner().post("/proliferate/sessions", json!({}));
    let made = made.await.expect(201);
    made["sessionId"].as_str().unwrap().parse().unwrap()
}

async fn ready(hub: &hub::Hub, app: &TestApp, id: SessionId) -> Result<(), HubError> {
    let steering = app.steering(id).await.unwrap();
    let handle = hub.registry.open(&steering).await.unwrap();
    handle.ensure_ready().await
}

fn refusal(outcome: Result<(), HubError>) -> (BootErrorCause, String) {
    let Err(HubError::Boot(error)) = outcome else {
        panic!("{outcome:?}");
    };
    (error.cause, error.message)
}

async fn no_more_sessions_start_than_the_organization_may_have(backend: Backend) {
    for name in ["liveSessions", "sandboxes"] {
        let scene = Scene::set(backend).await;
        let _agent = scene.agent().await;
        limit(&scene.app, name, json!(1)).await;
        let first = scene.up().await;
        let second = created(&scene.app).await;
        let (cause, message) = refusal(ready(&scene.hub, &scene.app, second).await);
        assert_eq!(cause, BootErrorCause::LimitReached);
        let unit = if name == "sandboxes" {
            "sandbox"
        } else {
            "live session"
        };
        assert_eq!(
            message,
            format!(
                "the organization has 1 {unit} and may have at most 1 {unit}: an admin of the organization can raise it"
            )
        );
        assert_eq!(scene.shown(second).await["status"], "pending");
        scene.has_sandboxes(1).await;
        // The one that runs is not asked again.
        ready(&scene.hub, &scene.app, first).await.unwrap();
        limit(&scene.app, name, json!(2)).await;
        ready(&scene.hub, &scene.app, second).await.unwrap();
        assert_eq!(used(&scene.app).await[name], 2);
    }
}

async fn of_many_that_start_at_once_on_two_instances_as_many_start_as_may(backend: Backend) {
    const MAY: usize = 3;
    let scene = Scene::set(backend).await;
    let _agent = scene.agent().await;
    let (other, hub) = scene.beside().await;
    limit(&scene.app, "liveSessions", json!(MAY)).await;
    let mut sessions = Vec::new();
    for _ in 0..8 {
        sessions.push(created(&scene.app).await);
    }
    let starts = sessions
        .iter()
        .enumerate()
        .map(|(number, id)| match number % 2 {
            0 => ready(&scene.hub, &scene.app, *id),
            _ => ready(&hub, &other, *id),
        });
    let outcomes = futures::future::join_all(starts).await;
    let (started, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    assert_eq!(started.len(), MAY);
    for outcome in refused {
        assert_eq!(refusal(outcome).0, BootErrorCause::LimitReached);
    }
    assert_eq!(used(&scene.app).await["liveSessions"], json!(MAY));
    scene.has_sandboxes(MAY).await;
}

async fn a_paused_session_counts_for_no_limit_and_is_resumed_within_it(backend: Backend) {
    let scene = Scene::set(backend).await;
    let _agent = scene.agent().await;
    limit(&scene.app, "liveSessions", json!(1)).await;
    let first = scene.up().await;
    // One that is not in use is paused instead of moved.
    scene.migrate(first).await.unwrap();
    eventually("it is paused", async || {
        scene.shown(first).await["status"] == "paused"
    })
    .await;
    scene.has_sandboxes(0).await;
    assert_eq!(used(&scene.app).await["liveSessions"], 0);
    assert_eq!(used(&scene.app).await["sandboxes"], 0);
    let second = scene.up().await;
    let (cause, _) = refusal(ready(&scene.hub, &scene.app, first).await);
    assert_eq!(cause, BootErrorCause::LimitReached);
    assert_eq!(scene.shown(first).await["status"], "paused");
    scene
        .app
        .owner()
        .delete(&format!("/v1/sessions/{second}"))
        .await
        .expect(200);
    ready(&scene.hub, &scene.app, first).await.unwrap();
}

/// A session to which something was said after the day's limit was reached.
async fn resting(scene: &Scene) -> SessionId {
    limit(&scene.app, "spendDayMicroUsd", json!(10)).await;
    let id = created(&scene.app).await;
    let spent = Usage {
        requests: 1,
        cost_micro_usd: 10,
        ..Usage::default()
    };
    let (app, organization_id) = (&scene.app.app, &scene.app.acme);
    let mut tx = app.db.write().await.unwrap();
    store::model_usage_add(&mut tx, organization_id, id, "m", &spent, app.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    scene.say(id, "waits").await.unwrap();
    let handle = scene
        .hub
        .registry
        .open(&scene.app.steering(id).await.unwrap())
        .await
        .unwrap();
    eventually("it rests", async || {
        handle.read_activity().await.unwrap().is_resting
    })
    .await;
    id
}

async fn a_session_that_rests_for_the_day_goes_on_when_the_day_is_over(backend: Backend) {
    let scene = Scene::set(backend).await;
    let agent = scene.agent().await;
    let id = resting(&scene).await;
    release_session(&scene, id).await;
    assert_eq!(jobs::run_due(&scene.app.app).await.unwrap(), 0);
    scene.app.clock.advance(Duration::from_hours(24));
    assert_eq!(jobs::run_due(&scene.app.app).await.unwrap(), 1);
    eventually("what waited reaches the agent", async || {
        agent.texts() == ["waits"]
    })
    .await;
}

async fn a_session_that_rests_for_the_day_goes_on_when_the_limit_is_raised(backend: Backend) {
    let scene = Scene::set(backend).await;
    let agent = scene.agent().await;
    let id = resting(&scene).await;
    release_session(&scene, id).await;
    // Not enough.
    limit(&scene.app, "spendDayMicroUsd", json!(9)).await;
    assert_eq!(jobs::run_due(&scene.app.app).await.unwrap(), 0);
    limit(&scene.app, "spendDayMicroUsd", json!(11)).await;
    assert_eq!(jobs::run_due(&scene.app.app).await.unwrap(), 1);
    eventually("what waited reaches the agent", async || {
        agent.texts() == ["waits"]
    })
    .await;
}

async fn a_session_that_is_not_admitted_starts_nothing(backend: Backend) {
    let denies = FakeAdmission::DeniesStart("the plan allows no more sessions");
    let scene = Scene::admitting_by(backend, denies).await;
    let _agent = scene.agent().await;
    let id = created(&scene.app).await;
    let (cause, message) = refusal(ready(&scene.hub, &scene.app, id).await);
    assert_eq!(cause, BootErrorCause::AdmissionDenied);
    assert_eq!(message, "the plan allows no more sessions");
    scene.has_sandboxes(0).await;
    assert_eq!(scene.shown(id).await["status"], "pending");
}
