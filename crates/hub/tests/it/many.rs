//! A session's sandbox among several instances, and one that is not used: never two, and never none by mistake.

use std::sync::Arc;

use domain::{
    lease::LeaseKey,
    limits::{HUB_IDLE_TTL, INSTANCE_TTL},
};
use hub::Hub;
use sandbox::fake::Operation;
use testkit::{app::TestApp, database::Backend};

use crate::{life_faults::Place, stage::eventually};

testkit::on_both_databases!(
    an_unused_session_is_saved_and_paused_and_goes_on,
    a_session_that_cannot_be_saved_has_failed_and_goes_on_in_its_sandbox,
    the_next_owner_of_a_session_finds_its_sandbox,
    an_owner_that_was_overtaken_leaves_the_sandbox_alone,
);

/// Another instance with the same sandboxes.
async fn beside(place: &Place) -> (TestApp, Hub) {
    let coordination = Arc::clone(&place.app.app.coordination);
    let builder = TestApp::builder(Backend::Sqlite).coordinating_by(&coordination);
    let app = builder.beside(&place.app).await;
    let hub = Hub::new(app.app.clone(), place.machine.clone().into());
    let announced = coordination.announce(&app.app.instance, INSTANCE_TTL).await;
    announced.unwrap();
    (app, hub)
}

fn created(place: &Place) -> usize {
    let calls = place.fake.calls().into_iter();
    calls.filter(|call| *call == Operation::Create).count()
}

async fn an_unused_session_is_saved_and_paused_and_goes_on(backend: Backend) {
    let place = Place::open(backend).await;
    let (session, _) = place.setup().await;
    place.write(session, "work").await;
    assert_eq!(place.hub.fleet.evict_idle().await, 0, "it was just used");
    place.app.clock.advance(HUB_IDLE_TTL);
    assert_eq!(place.hub.fleet.evict_idle().await, 1);
    let paused = place.session(session).await;
    assert_eq!(paused["status"], "paused", "{paused}");
    assert!(paused["snapshotId"].is_string(), "{paused}");
    assert_eq!(place.fake.labels(), [] as [String; 0]);
    assert!(!place.hub.registry.is_live(session));

    place.up(&place.hub, session).await;
    assert_eq!(place.read(session).await, "work");
    assert_eq!(place.session(session).await["status"], "running");
}

async fn a_session_that_cannot_be_saved_has_failed_and_goes_on_in_its_sandbox(backend: Backend) {
    let place = Place::open(backend).await;
    let (session, _) = place.setup().await;
    let before = place.handle(session).await;
    let full = sandbox::Error::failed("copying", "the disk is full");
    place
        .fake
        .turn(|knobs| knobs.fail_next(Operation::Snapshot, full));
    place.app.clock.advance(HUB_IDLE_TTL);
    assert_eq!(place.hub.fleet.evict_idle().await, 1);
    assert!(
        !place.hub.registry.is_live(session),
        "nothing of it is left in memory"
    );
    let failed = place.session(session).await;
    assert_eq!(failed["status"], "failed", "{failed}");
    let text = failed.to_string();
    assert!(text.contains("the disk is full"), "{text}");
    assert_eq!(
        place.fake.labels().len(),
        1,
        "the only copy of a user's work"
    );

    place.up(&place.hub, session).await;
    assert_eq!(place.handle(session).await, before);
    assert_eq!(place.session(session).await["status"], "running");
}

async fn the_next_owner_of_a_session_finds_its_sandbox(backend: Backend) {
    let place = Place::open(backend).await;
    let (session, _) = place.setup().await;
    place.write(session, "work").await;
    let before = place.handle(session).await;
    let (_app, other) = beside(&place).await;
    // Where another instance can go on, nothing is saved and nothing is ended.
    place.hub.fleet.close().await;
    assert_eq!(place.session(session).await["status"], "running");
    place.up(&other, session).await;
    assert_eq!(place.handle(session).await, before);
    assert_eq!(place.read(session).await, "work");
    assert_eq!(created(&place), 1, "never a second boot");
}

async fn an_owner_that_was_overtaken_leaves_the_sandbox_alone(backend: Backend) {
    let place = Place::open(backend).await;
    let (session, _) = place.setup().await;
    let before = place.handle(session).await;
    let (app, other) = beside(&place).await;
    let coordination = &place.app.app.coordination;
    // As after a pause that was longer than the lease.
    let (key, holder) = (LeaseKey::Owner(session), place.app.app.instance.id);
    assert!(coordination.release(key, holder).await.unwrap());
    place.up(&other, session).await;
    assert_eq!(created(&place), 1, "never a second boot");

    // It does not know yet, and may not save it. Then it knows.
    let saved = place
        .hub
        .sandboxes
        .save_snapshot(&place.app.steering(session).await.unwrap())
        .await;
    assert!(saved.is_err(), "{saved:?}");
    eventually("it is released", async || {
        !place.hub.registry.is_live(session)
    })
    .await;
    assert_eq!(place.handle(session).await, before);
    assert_eq!(place.fake.labels().len(), 1);
    assert_eq!(place.session(session).await["status"], "running");
    let owner = coordination.owner(key).await.unwrap();
    assert_eq!(owner, Some(app.app.instance.id));
}
