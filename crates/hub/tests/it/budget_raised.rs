//! Sessions that are paused for a budget of their own, of their configuration or of their organization: they resume by
//! themselves when it is raised, on any instance.

use std::sync::Arc;

use app::{fleet, jobs, system::SystemClock};
use domain::{id::SessionId, instance::Load, limits::GO_ON_ASK_EVERY};
use serde_json::{Value, json};
use testkit::{app::TestApp, database::Backend, standin::agent::Agent};
use tokio::time::timeout;
use wire::live::{LiveError, LiveErrorCode, LiveStatus, ServerMessage};

use crate::{
    agent::PATIENCE,
    migration_jobs::release_session,
    migration_scene::Scene,
    session::{Live, prompt, serve},
    stage::eventually,
};

testkit::on_both_databases!(
    a_session_without_an_owner_goes_on_when_its_budget_is_raised,
    a_session_goes_on_at_the_instance_that_serves_it,
    a_budget_that_is_not_raised_enough_resumes_no_session,
);

/// Whose budget it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    Session,
    Configuration,
    Organization,
}

/// A session to which something was said that it has no money for.
struct Resting {
    id: SessionId,
    /// Where its budget is set, and how.
    path: String,
    method: &'static str,
}

impl Resting {
    async fn set(scene: &Scene, whose: Whose) -> Self {
        let owner = scene.app.owner();
        let (mut body, mut path) = (json!({}), "/v1/organization/budget".to_owned());
        if whose == Whose::Configuration {
            let made = owner
                .post("/v1/configurations", json!({"name": "shop"}))
                .await;
            let made = made.expect(201)["id"].clone();
            path = format!("/v1/configurations/{}", made.as_str().unwrap());
            body = json!({"configurationId": made});
        }
        let made = owner.post("/proliferate/sessions", body).await.expect(201);
        let id: SessionId = made["sessionId"].as_str().unwrap().parse().unwrap();
        if whose == Whose::Session {
            path = format!("/v1/sessions/{id}/budget");
        }
        let method = match whose {
            Whose::Configuration => "PATCH",
            Whose::Session | Whose::Organization => "PUT",
        };
        let resting = Self { id, path, method };
        resting.give(&scene.app, json!(0)).await;
        scene.say(id, "waits").await.unwrap();
        let handle = scene
            .hub
            .registry
            .open(&scene.app.steering(id).await.unwrap())
            .await
            .unwrap();
        eventually("it rests", async || {
            let look = handle.read_status().await.unwrap();
            look.status == LiveStatus::Paused && handle.read_activity().await.unwrap().is_resting
        })
        .await;
        resting
    }

    async fn give(&self, app: &TestApp, micro_usd: Value) {
        let call = app.owner().call(self.method.parse().unwrap(), &self.path);
        call.json(&json!({"budgetMicroUsd": micro_usd}))
            .await
            .expect(200);
    }
}

async fn a_session_without_an_owner_goes_on_when_its_budget_is_raised(backend: Backend) {
    for whose in [Whose::Session, Whose::Configuration, Whose::Organization] {
        let scene = Scene::set(backend).await;
        let agent = scene.agent().await;
        let resting = Resting::set(&scene, whose).await;
        release_session(&scene, resting.id).await;
        assert_eq!(jobs::run_due(&scene.app.app).await.unwrap(), 0, "{whose:?}");
        resting.give(&scene.app, json!(1)).await;
        assert_eq!(agent.texts(), [] as [&str; 0], "{whose:?}");

        let (other, hub) = scene.beside().await;
        assert_eq!(jobs::run_due(&other.app).await.unwrap(), 1, "{whose:?}");
        let what = format!("what waited reaches the agent: {whose:?}");
        eventually(&what, async || agent.texts() == ["waits"]).await;
        assert!(hub.registry.is_live(resting.id), "{whose:?}");
        eventually("it runs", async || {
            scene.shown(resting.id).await["status"] == "running"
        })
        .await;
    }
}

async fn a_session_goes_on_at_the_instance_that_serves_it(backend: Backend) {
    let scene = Scene::set(backend).await;
    let answering = scene.hub.clone();
    tokio::spawn(async move { answering.fleet.receive_peer_messages().await });
    let agent = scene.agent().await;
    let resting = Resting::set(&scene, Whose::Organization).await;
    let (other, hub) = scene.beside().await;
    resting.give(&other, Value::Null).await;
    eventually("what waited reaches the agent", async || {
        // That it is alive is said again and again.
        fleet::announce(&scene.app.app, Load::default())
            .await
            .unwrap();
        jobs::run_due(&other.app).await.unwrap();
        // An owner that did not receive it is asked again.
        other.clock.advance(GO_ON_ASK_EVERY);
        agent.texts() == ["waits"]
    })
    .await;
    assert!(scene.hub.registry.is_live(resting.id) && !hub.registry.is_live(resting.id));
}

async fn a_budget_that_is_not_raised_enough_resumes_no_session(backend: Backend) {
    let scene = Scene::set(backend).await;
    let resting = Resting::set(&scene, Whose::Organization).await;
    release_session(&scene, resting.id).await;
    let spent = domain::model_usage::Usage {
        requests: 1,
        cost_micro_usd: 10,
        ..Default::default()
    };
    let mut tx = scene.app.app.db.write().await.unwrap();
    let (organization_id, now) = (&scene.app.acme, scene.app.app.now());
    store::model_usage_add(&mut tx, organization_id, resting.id, "m", &spent, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    for enough in [false, true] {
        resting
            .give(&scene.app, json!(10 + i64::from(enough)))
            .await;
        let due = jobs::run_due(&scene.app.app).await.unwrap();
        assert_eq!(due, usize::from(enough));
    }
}

#[tokio::test]
async fn an_agent_that_was_cut_off_is_told_to_go_on_by_the_next_owner_of_its_session() {
    let agent = Agent::start().await;
    let clock = Arc::new(SystemClock::new());
    let runtime = Arc::new(agent.clone());
    let live = Live::start_by(Backend::Sqlite, runtime.clone(), clock.clone()).await;
    live.handle.prompt(prompt("work")).await.unwrap();
    eventually("it did that", async || {
        let look = live.handle.read_status().await.unwrap();
        look.is_idle && agent.texts() == ["work"]
    })
    .await;
    let refused = ServerMessage::Error(LiveError {
        message: "what it may spend is spent".to_owned(),
        code: LiveErrorCode::Model,
        retryable: false,
    });
    live.handle.publish(refused).await.unwrap();
    live.handle.stop().await;
    timeout(PATIENCE, live.running).await.unwrap().unwrap();

    let (handle, _running) = serve(runtime, &live.journal, clock).await;
    // This hub did not pause it.
    handle.resume_if_paused().await.unwrap();
    assert!(!handle.read_activity().await.unwrap().wants_agent);
    for _ in 0..2 {
        handle.resume().await.unwrap();
    }
    eventually("it is told to go on", async || agent.texts().len() == 2).await;
    assert!(agent.texts()[1].starts_with("The budget allows more again."));
    // Once is enough.
    handle.resume().await.unwrap();
    eventually("it did that, too", async || {
        handle.read_status().await.unwrap().is_idle
    })
    .await;
    assert_eq!(agent.texts().len(), 2);
}
