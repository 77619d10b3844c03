//! What becomes of a session whose agent sends too much, and of what is under way with the sandbox of one that is stopped.

use std::time::Duration;

use app::sessions::Provisioner as _;
use domain::limits::AGENT_PORT;
use hub::house::Door;
use sandbox::fake::Operation;
use testkit::{
    database::Backend,
    standin::{
        agent::Agent,
        liar::{Liar, Lie},
    },
};

use crate::{life_faults::Place, stage::eventually};

testkit::on_both_databases!(
    a_session_whose_agent_sends_too_much_has_failed_and_goes_on_from_what_it_saved,
    stopping_a_session_stops_the_snapshot_that_is_taken_of_it,
);

async fn a_session_whose_agent_sends_too_much_has_failed_and_goes_on_from_what_it_saved(
    backend: Backend,
) {
    let place = Place::open(backend).await;
    let liar = Liar::start(Lie::EndlessPages).await;
    place.fake.serve(AGENT_PORT, liar.address());
    let (session, _) = place.setup().await;
    eventually("the session has failed", async || {
        place.session(session).await["status"] == "failed"
    })
    .await;
    let failed = place.session(session).await;
    let text = failed.to_string();
    assert!(
        text.contains("it sent a record of more than 40 pages"),
        "{text}"
    );
    assert!(text.contains("send a prompt to start it again"), "{text}");
    assert!(failed["snapshotId"].is_string(), "{text}");
    // Nothing of it is left that could go on lying.
    assert_eq!(place.fake.labels(), [] as [String; 0]);
    assert!(place.fake.calls().contains(&Operation::Stop));

    let agent = Agent::start().await;
    place.fake.serve(AGENT_PORT, agent.address());
    place.up(&place.house, session).await;
    let running = place.session(session).await;
    assert_eq!(running["status"], "running", "{running}");
}

async fn stopping_a_session_stops_the_snapshot_that_is_taken_of_it(backend: Backend) {
    let place = Place::open(backend).await;
    let door = Door::default();
    door.lead_to(place.house.clone());
    let (session, _) = place.setup().await;
    let mut conn = place.app.app.db.read().await.unwrap();
    let record = conn.session_fetch(&place.app.acme, session).await;
    let record = record.unwrap().unwrap();
    drop(conn);
    let slow = Duration::from_hours(1);
    place
        .fake
        .turn(|knobs| _ = knobs.slow.insert(Operation::Snapshot, slow));
    let steering = place.app.steering(session).await.unwrap();
    let house = place.house.clone();
    let saving = tokio::spawn(async move { house.save_snapshot(&steering).await });
    eventually("the snapshot is taken", async || {
        place.fake.calls().contains(&Operation::Snapshot)
    })
    .await;
    // The sandbox is ended, whatever is done with it.
    door.dismiss(&record).await.unwrap();
    let saved = saving.await.unwrap();
    let error = saved.unwrap_err().to_string();
    assert_eq!(error, "the session was stopped meanwhile");
    assert_eq!(place.fake.labels(), [] as [String; 0]);
}
