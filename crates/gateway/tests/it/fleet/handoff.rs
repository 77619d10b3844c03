//! An instance that stops gives its sessions to the others, and clients go on where they were.

use domain::limits::LEASE_TTL;
use testkit::database::Backend;

use super::{Fleet, eventually};

testkit::on_both_databases!(
    the_next_instance_has_a_session_at_once_and_clients_go_on_by_their_place,
    alone_a_session_is_put_away_and_nothing_is_handed_over,
);

async fn the_next_instance_has_a_session_at_once_and_clients_go_on_by_their_place(
    backend: Backend,
) {
    let (fleet, first) = Fleet::start(backend).await;
    let second = fleet.join(&first).await;
    let session = first.session().await;
    let mut socket = first.connect(session, "").await;
    socket.next_of("init").await;
    assert_eq!(first.say(session, "One.").await.0, 202);
    let last = socket.next_of("message_complete").await;
    let seen = last["seq"].as_u64().unwrap();

    first.hub.fleet.close().await;
    let (_, code, _) = socket.closed().await;
    assert_eq!(code, 1001);
    assert_eq!(
        fleet.owner(session).await,
        Some(second.id()),
        "clients are told to reconnect when another instance owns it"
    );

    let mut socket = second.connect(session, &format!("?after={seen}")).await;
    assert_eq!(second.say(session, "Two.").await.0, 202);
    let frames = socket.until("message_complete").await;
    let places: Vec<u64> = frames
        .iter()
        .filter_map(|frame| frame["seq"].as_u64())
        .collect();
    let expected: Vec<u64> = (seen + 1..).take(places.len()).collect();
    assert_eq!(places, expected, "nothing is missing, nothing comes twice");
    let said = fleet.agent.prompts();
    assert_eq!(said.len(), 2, "{said:?}");
    assert_eq!(fleet.agent.aborts(), 0, "no turn is cut off");
    // Requests through the one that stops are forwarded to the new owner.
    assert_eq!(first.say(session, "By way of the old.").await.0, 202);
}

async fn alone_a_session_is_put_away_and_nothing_is_handed_over(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let session = first.session().await;
    first.open(session).await.unwrap();
    first.hub.fleet.close().await;
    assert_eq!(fleet.owner(session).await, None);
    assert!(!first.hub.registry.is_live(session));
}

/// As after `kill -9`: the lease ends by itself, and then the session is another's, with the agent as it was.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_that_died_is_followed_when_its_lease_ends() {
    let (fleet, first) = Fleet::start(Backend::Sqlite).await;
    let session = first.session().await;
    // One with a life of its own, which ends at once and with everything in it.
    let dying = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let builder = testkit::app::TestApp::builder(Backend::Sqlite);
    let builder = builder.coordinating_by(&fleet.coordination);
    let second = builder.beside(&first.app).await;
    let (hub, id) = (
        hub::Hub::with_runtimes(second.app.clone(), fleet.agent.runtimes()),
        second.app.instance.id,
    );
    fleet
        .coordination
        .announce(&second.app.instance, LEASE_TTL)
        .await
        .unwrap();
    let steering = second.steering(session).await.unwrap();
    let opened = dying.spawn(async move {
        let handle = hub.registry.open(&steering).await.unwrap();
        let prompt = hub::session::NewPrompt {
            text: "Before the end.".to_owned(),
            ..Default::default()
        };
        handle.prompt(prompt).await.unwrap();
        while !handle.read_status().await.is_ok_and(|look| look.is_idle) {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    });
    opened.await.unwrap();
    assert_eq!(fleet.owner(session).await, Some(id));
    dying.shutdown_background();

    // No instance takes it over before the lease has expired.
    assert!(first.open(session).await.is_err());
    fleet.coordination.withdraw(id).await.unwrap();
    eventually("it is taken over", async || {
        first.open(session).await.is_ok()
    })
    .await;
    assert_eq!(fleet.owner(session).await, Some(first.id()));
    let mut socket = first.connect(session, "").await;
    let init = socket.next_of("init").await;
    let messages = init["payload"]["messages"].to_string();
    assert!(messages.contains("Before the end."), "{messages}");
    assert_eq!(first.say(session, "After it.").await.0, 202);
    // The first may have died before it sent its prompts to the agent: then they are sent first
    // here.
    eventually("both are said", async || fleet.agent.prompts().len() >= 2).await;
    socket.next_of("message_complete").await;
    let said = fleet.agent.prompts();
    assert_eq!(said.len(), 2, "each was said once: {said:?}");
}
