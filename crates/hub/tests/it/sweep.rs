//! What no owner looks after: sessions without an owner, sandboxes without a session, sessions whose sandboxes are dead.

use std::sync::Arc;

use domain::{
    caller::Incarnation,
    id::SessionId,
    lease::LeaseKey,
    limits::{HUB_ADOPT_AFTER, INSTANCE_TTL, LEASE_TTL, ORPHAN_GRACE},
};
use hub::Hub;
use sandbox::{Handle, Provider as _, Spec};
use testkit::{app::TestApp, database::Backend};

use crate::{life_faults::Place, stage::eventually};

testkit::on_both_databases!(
    a_running_session_without_an_owner_is_taken_over_in_its_sandbox,
    a_session_whose_sandbox_is_dead_is_paused_and_goes_on,
    a_sandbox_that_no_session_has_is_ended_after_a_while,
    a_sandbox_of_another_installation_is_left_alone,
);

/// Another instance with the same sandboxes, as the only one that is alive.
async fn beside(place: &Place) -> (TestApp, Hub) {
    let coordination = Arc::clone(&place.app.app.coordination);
    let builder = TestApp::builder(Backend::Sqlite).coordinating_by(&coordination);
    let app = builder.beside(&place.app).await;
    let hub = Hub::new(app.app.clone(), place.machine.clone().into());
    let announced = coordination.announce(&app.app.instance, INSTANCE_TTL).await;
    announced.unwrap();
    (app, hub)
}

/// A sandbox of a session that its session does not know of.
async fn stray(place: &Place, label: &str) -> Handle {
    let spec = Spec::new(label, Incarnation(99));
    place.fake.create(spec).await.unwrap()
}

fn count(place: &Place) -> usize {
    place.fake.labels().len()
}

async fn a_running_session_without_an_owner_is_taken_over_in_its_sandbox(backend: Backend) {
    let place = Place::open(backend).await;
    let (session, _) = place.setup().await;
    let before = place.handle(session).await;
    let (app, other) = beside(&place).await;
    app.clock.advance(HUB_ADOPT_AFTER);
    other.fleet.sweep(true).await;
    assert!(!other.registry.is_live(session), "an instance has it");

    // As after a crash: the lease has ended.
    let (key, holder) = (LeaseKey::Owner(session), place.app.app.instance.id);
    let coordination = &place.app.app.coordination;
    assert!(coordination.release(key, holder).await.unwrap());
    other.fleet.sweep(false).await;
    assert!(other.registry.is_live(session));
    let owner = coordination.owner(key).await.unwrap();
    assert_eq!(owner, Some(app.app.instance.id));
    eventually("its agent is listened to", async || {
        other.fleet.load().await.running == 1
    })
    .await;
    assert_eq!(place.handle(session).await, before, "never a second boot");
    assert_eq!(other.fleet.load().await.swept.adopted, 1);
}

async fn a_session_whose_sandbox_is_dead_is_paused_and_goes_on(backend: Backend) {
    let place = Place::open(backend).await;
    let (session, _) = place.setup().await;
    let dead = place.handle(session).await;
    let (app, other) = beside(&place).await;
    let (key, holder) = (LeaseKey::Owner(session), place.app.app.instance.id);
    let coordination = &place.app.app.coordination;
    place.fake.kill(&dead);
    assert!(coordination.release(key, holder).await.unwrap());
    app.clock.advance(HUB_ADOPT_AFTER);
    other.fleet.sweep(true).await;
    let paused = place.session(session).await;
    assert_eq!(paused["status"], "paused", "{paused}");
    assert!(paused.to_string().contains("sandbox has ended"), "{paused}");
    assert_eq!(other.fleet.load().await.swept.dead, 1);

    place.up(&other, session).await;
    assert_eq!(place.session(session).await["status"], "running");
    assert_ne!(place.handle(session).await, dead);
}

async fn a_sandbox_that_no_session_has_is_ended_after_a_while(backend: Backend) {
    let place = Place::open(backend).await;
    let (session, _) = place.setup().await;
    let kept = place.handle(session).await;
    stray(&place, &session.to_string()).await;
    place.hub.fleet.sweep(true).await;
    place.app.clock.advance(ORPHAN_GRACE / 2);
    place.hub.fleet.sweep(true).await;
    assert_eq!(count(&place), 2, "its maker may still write it down");
    assert_eq!(place.hub.fleet.load().await.swept.waiting, 1);

    place.app.clock.advance(ORPHAN_GRACE / 2);
    // An instance makes a sandbox for that session.
    let coordination = &place.app.app.coordination;
    let (key, own) = (LeaseKey::Runtime(session), place.app.app.instance.id);
    coordination.acquire(key, own, LEASE_TTL).await.unwrap();
    place.hub.fleet.sweep(true).await;
    assert_eq!(count(&place), 2, "not while one is made");
    coordination.release(key, own).await.unwrap();

    place.hub.fleet.sweep(true).await;
    assert_eq!(count(&place), 1);
    let swept = place.hub.fleet.load().await.swept;
    assert_eq!((swept.ended, swept.waiting), (1, 0));
    assert_eq!(place.handle(session).await, kept);
    place.fake.reattach(&kept).await.unwrap();
}

async fn a_sandbox_of_another_installation_is_left_alone(backend: Backend) {
    let place = Place::open(backend).await;
    let unknown: SessionId = "0192f0c1-2345-7abc-8def-0123456789ab".parse().unwrap();
    for label in [unknown.to_string(), "no session at all".to_owned()] {
        stray(&place, &label).await;
    }
    for _ in 0..3 {
        place.hub.fleet.sweep(true).await;
        place.app.clock.advance(ORPHAN_GRACE);
    }
    assert_eq!(count(&place), 2);
    let swept = place.hub.fleet.load().await.swept;
    assert_eq!((swept.ended, swept.waiting, swept.foreign), (0, 0, 2));
}
