//! One instance has a session: by its lease, by the epoch in the database, and by neither alone.

use app::Error;
use domain::{lease::LeaseKey, limits::LEASE_TTL};
use hub::session::{HubError, NewPrompt};
use testkit::database::Backend;

use super::{Fleet, eventually};

testkit::on_both_databases!(
    one_instance_has_a_session_and_the_other_says_which,
    an_owner_with_an_old_epoch_releases_the_session_and_writes_nothing,
    an_owner_that_lost_its_lease_releases_the_session_and_clients_reconnect,
    a_lost_lease_without_a_new_owner_is_acquired_again,
    a_lease_of_another_organizations_session_is_not_acquired,
);

async fn one_instance_has_a_session_and_the_other_says_which(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let second = fleet.join(&first).await;
    let session = first.session().await;
    first.open(session).await.unwrap();
    assert_eq!(fleet.owner(session).await, Some(first.id()));
    match second.open(session).await {
        Err(Error::Elsewhere { url }) => assert_eq!(url, first.url()),
        other => panic!("{other:?}"),
    }
    // One that is not alive any more is not named.
    fleet.coordination.withdraw(first.id()).await.unwrap();
    let opened = second.open(session).await;
    assert!(matches!(opened, Err(Error::OwnerUnavailable)), "{opened:?}");
    assert!(first.hub.registry.is_live(session) && !second.hub.registry.is_live(session));
}

async fn an_owner_with_an_old_epoch_releases_the_session_and_writes_nothing(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let second = fleet.join(&first).await;
    let session = first.session().await;
    let stale = first.open(session).await.unwrap();
    let key = LeaseKey::Owner(session);
    // As after a pause that was longer than the lease.
    assert!(fleet.coordination.release(key, first.id()).await.unwrap());
    let newer = second.open(session).await.unwrap();
    assert_eq!(fleet.owner(session).await, Some(second.id()));

    let prompt = |text: &str| NewPrompt {
        text: text.to_owned(),
        ..NewPrompt::default()
    };
    // It does not know yet: its events are never sent, and its prompts never delivered.
    let _ = stale.prompt(prompt("Stale.")).await;
    stale.wait_gone().await;
    assert_eq!(
        stale.prompt(prompt("Gone.")).await,
        Err(HubError::Gone),
        "it was let go"
    );
    newer.prompt(prompt("Newer.")).await.unwrap();
    let agent = &fleet.agent;
    eventually("the prompt is delivered", async || {
        !agent.prompts().is_empty()
    })
    .await;
    let said = agent.prompts();
    assert!(
        said.iter()
            .all(|prompt| prompt["parts"][0]["text"] == "Newer."),
        "{said:?}"
    );
    // The slot that the former owner frees is not the new owner's.
    eventually("its place is free", async || {
        !first.hub.registry.is_live(session)
    })
    .await;
    assert_eq!(fleet.owner(session).await, Some(second.id()));
    assert!(second.hub.registry.is_live(session));
}

async fn an_owner_that_lost_its_lease_releases_the_session_and_clients_reconnect(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let second = fleet.join(&first).await;
    let session = first.session().await;
    let mut socket = first.connect(session, "").await;
    let init = socket.next_of("init").await;
    assert_eq!(init["payload"]["status"], "paused");
    let key = LeaseKey::Owner(session);
    assert!(fleet.coordination.release(key, first.id()).await.unwrap());
    second.open(session).await.unwrap();
    // The next renewal says so.
    let (_, code, reason) = socket.closed().await;
    assert_eq!((code, reason.as_str()), (1001, "moved"));
    eventually("its place is free", async || {
        !first.hub.registry.is_live(session)
    })
    .await;
    assert_eq!(fleet.owner(session).await, Some(second.id()));
}

async fn a_lost_lease_without_a_new_owner_is_acquired_again(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let session = first.session().await;
    let handle = first.open(session).await.unwrap();
    let key = LeaseKey::Owner(session);
    // As after a failover that lost it.
    assert!(fleet.coordination.release(key, first.id()).await.unwrap());
    eventually("it has it again", async || {
        fleet.owner(session).await == Some(first.id())
    })
    .await;
    assert!(!handle.is_gone() && first.hub.registry.is_live(session));
    // As after a pause: the life of the lease ended here too.
    first.app.clock.advance(LEASE_TTL);
    assert!(fleet.coordination.release(key, first.id()).await.unwrap());
    eventually("it has it once more", async || {
        fleet.owner(session).await == Some(first.id())
    })
    .await;
    assert!(!handle.is_gone() && first.hub.registry.is_live(session));
}

async fn a_lease_of_another_organizations_session_is_not_acquired(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let session = first.session().await;
    let foreign = first.app.access_to(&first.app.other, session).await;
    assert!(matches!(foreign, Err(Error::NotFound(_))), "{foreign:?}");
    assert_eq!(fleet.owner(session).await, None);
    assert!(!first.hub.registry.is_live(session));
}

/// Without Redis no instance becomes an owner; an owner stays it for a while, and reports its
/// state.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_coordination_sessions_go_on_and_none_is_opened() {
    let (mut fleet, first) = Fleet::start(Backend::Postgres).await;
    let (running, other) = (first.session().await, first.session().await);
    let mut socket = first.connect(running, "").await;
    socket.next_of("init").await;
    assert_eq!(first.say(running, "Before.").await.0, 202);
    socket.next_of("message_complete").await;

    fleet.redis.as_mut().unwrap().stop();
    let (status, problem) = first.say(other, "Never.").await;
    assert_eq!(
        (status, problem["code"].as_str()),
        (503, Some("COORDINATION_UNAVAILABLE")),
        "{problem}"
    );
    assert_eq!(problem["retryable"], true);
    // The lease cannot be renewed any more, and its life ends.
    first.app.clock.advance(LEASE_TTL);
    let told = loop {
        let status = socket.next_of("status").await;
        if let Some(message) = status["payload"]["message"].as_str() {
            break message.to_owned();
        }
    };
    assert!(
        told.contains("coordination service does not answer"),
        "{told}"
    );
    assert_eq!(first.hub.fleet.load().await.unconfirmed, 1);
    assert_eq!(first.say(running, "Meanwhile.").await.0, 202);
    socket.next_of("message_complete").await;

    fleet.redis.as_mut().unwrap().restart().await;
    eventually("it is confirmed", async || {
        first.hub.fleet.load().await.unconfirmed == 0
    })
    .await;
    assert_eq!(fleet.owner(running).await, Some(first.id()));
    assert_eq!(first.say(other, "Now.").await.0, 202);
}
