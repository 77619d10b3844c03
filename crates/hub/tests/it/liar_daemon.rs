//! What becomes of a session whose agent or daemon sends too much, and of what is under way with the sandbox of one that is
//! stopped.

use std::{convert::Infallible, net::SocketAddr, time::Duration};

use app::{access::SessionAccess, sessions::Provisioner as _};
use axum::{Json, Router, body::Body, routing::get};
use domain::{
    limits::{AGENT_PORT, DAEMON_PORT, HUB_IDLE_TTL},
    session::Session,
};
use futures::{StreamExt as _, stream};
use hub::{HubSlot, PreviewRequest};
use sandbox::fake::Operation;
use serde_json::json;
use testkit::{
    database::Backend,
    standin::{
        agent::Agent,
        liar::{Liar, Lie},
    },
};
use tokio::{net::TcpListener, task::JoinSet, time::timeout};

use crate::{agent::PATIENCE, life_faults::Place, stage::eventually};

testkit::on_both_databases!(
    a_session_whose_agent_sends_too_much_has_failed_and_goes_on_from_what_it_saved,
    stopping_a_session_stops_the_snapshot_that_is_taken_of_it,
    stopping_a_session_that_is_put_away_does_not_wait_for_its_snapshot,
    answers_of_a_daemon_are_bounded_for_each_request_and_for_the_session,
);

async fn a_session_whose_agent_sends_too_much_has_failed_and_goes_on_from_what_it_saved(
    backend: Backend,
) {
    let place = Place::open(backend).await;
    let liar = Liar::start(Lie::EndlessPages).await;
    place.fake.set_endpoint(AGENT_PORT, liar.address());
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
    place.fake.set_endpoint(AGENT_PORT, agent.address());
    place.up(&place.hub, session).await;
    let running = place.session(session).await;
    assert_eq!(running["status"], "running", "{running}");
}

/// A session of a place where a snapshot takes an hour, and the slot by which it is stopped.
async fn with_a_slow_disk(backend: Backend) -> (Place, HubSlot, Session) {
    let place = Place::open(backend).await;
    let slot = HubSlot::default();
    slot.fill(place.hub.clone());
    let (session, _) = place.setup().await;
    let mut conn = place.app.app.db.read().await.unwrap();
    let record = store::session_fetch(&mut conn, &place.app.acme, session).await;
    let record = record.unwrap().unwrap();
    let slow = Duration::from_hours(1);
    place
        .fake
        .turn(|knobs| _ = knobs.slow.insert(Operation::Snapshot, slow));
    (place, slot, record)
}

/// Waits until the snapshot is being taken.
async fn snapshot_begins(place: &Place) {
    eventually("the snapshot is taken", async || {
        place.fake.calls().contains(&Operation::Snapshot)
    })
    .await;
}

async fn stopping_a_session_stops_the_snapshot_that_is_taken_of_it(backend: Backend) {
    let (place, slot, record) = with_a_slow_disk(backend).await;
    let steering = place.app.steering(record.id).await.unwrap();
    let hub = place.hub.clone();
    let saving = tokio::spawn(async move { hub.sandboxes.save_snapshot(&steering).await });
    snapshot_begins(&place).await;
    // The sandbox is ended, whatever is done with it.
    slot.dismiss(&record).await.unwrap();
    let saved = saving.await.unwrap();
    let error = saved.unwrap_err().to_string();
    assert_eq!(error, "the session was stopped meanwhile");
    assert_eq!(place.fake.labels(), [] as [String; 0]);
}

async fn stopping_a_session_that_is_put_away_does_not_wait_for_its_snapshot(backend: Backend) {
    let (place, slot, record) = with_a_slow_disk(backend).await;
    place.app.clock.advance(HUB_IDLE_TTL);
    let hub = place.hub.clone();
    let evicting = tokio::spawn(async move { hub.fleet.evict_idle().await });
    snapshot_begins(&place).await;
    let dismissed = timeout(PATIENCE, slot.dismiss(&record)).await;
    dismissed.expect("it does not wait").unwrap();
    assert_eq!(place.fake.labels(), [] as [String; 0]);
    assert!(!place.hub.registry.is_live(record.id));
    evicting.await.unwrap();
    // The snapshot that was given up is no failure of the session.
    assert_ne!(place.session(record.id).await["status"], "failed");
}

/// A daemon whose states begin and do not end, and whose services are a list of a megabyte and a half.
async fn daemon() -> SocketAddr {
    let begun = || async {
        let begin = stream::iter([Ok::<_, Infallible>("{")]);
        Body::from_stream(begin.chain(stream::pending()))
    };
    let diff = || async { Json(json!({"diff": "+change", "truncated": false, "binary": false})) };
    let services = || async {
        let services = vec![json!({"command": "x".repeat(1024)}); 1536];
        Json(json!({"services": services, "exposedPort": 3000}))
    };
    let router = Router::new()
        .route("/api/git/state", get(begun))
        .route("/api/git/diff", get(diff))
        .route("/api/services", get(services));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

async fn answers_of_a_daemon_are_bounded_for_each_request_and_for_the_session(backend: Backend) {
    let place = Place::open(backend).await;
    place.fake.set_endpoint(DAEMON_PORT, daemon().await);
    let (session, _) = place.setup().await;
    let access = place.app.access(session).await;
    let diff =
        async |access: &SessionAccess| place.hub.inside.read_git_diff(access, None, None).await;
    assert_eq!(diff(&access).await.unwrap().diff, "+change");

    let request = PreviewRequest {
        method: reqwest::Method::GET,
        path: "/".to_owned(),
        headers: reqwest::header::HeaderMap::new(),
        body: bytes::Bytes::new(),
    };
    let refused = place
        .hub
        .inside
        .forward_preview(&access, 3000, request)
        .await;
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("more than the gateway reads"), "{refused}");

    // Answers that do not end take all the room that there is for one session.
    let mut states = JoinSet::new();
    for _ in 0..8 {
        let (hub, access) = (place.hub.clone(), place.app.access(session).await);
        states.spawn(async move { hub.inside.read_git_state(&access, None).await });
    }
    let short = Duration::from_secs(1);
    eventually("the next answer waits", async || {
        timeout(short, diff(&access)).await.is_err()
    })
    .await;
    let (beside, _) = place.setup().await;
    let other = place.app.access(beside).await;
    assert_eq!(diff(&other).await.unwrap().diff, "+change");
    states.shutdown().await;
    assert_eq!(diff(&access).await.unwrap().diff, "+change");
}
