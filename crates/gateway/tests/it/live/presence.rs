//! Clients of a session see each other.

use std::time::Duration;

use serde_json::Value;
use testkit::{app::Person, database::Backend};

use super::{
    Live,
    client::{Events, Socket},
};

fn users(clients: &Value) -> Vec<&str> {
    let clients = clients.as_array().unwrap();
    clients
        .iter()
        .map(|client| client["userId"].as_str().unwrap())
        .collect()
}

/// Waits until this many are listed, and advances the clock meanwhile: presence updates are
/// batched.
async fn until_there_are(live: &Live, socket: &mut Socket, count: usize) -> Value {
    loop {
        live.app.clock.advance(Duration::from_secs(1));
        let presence = socket.next_of("presence").await;
        let clients = presence["payload"]["clients"].clone();
        if clients.as_array().unwrap().len() == count {
            return clients;
        }
    }
}

#[tokio::test]
async fn connecting_and_disconnecting_clients_appear_in_the_presence() {
    let live = Live::start(Backend::Sqlite).await;
    let mut owner = live.connect("").await;
    let init = owner.next_of("init").await;
    let clients = &init["payload"]["clients"];
    assert_eq!(users(clients), ["user_acme_owner"]);
    assert_eq!(
        clients[0]["connectionId"],
        init["payload"]["config"]["connectionId"]
    );

    let mut member = live.connect_as(Person::Member, "").await;
    let init = member.next_of("init").await;
    assert_eq!(
        users(&init["payload"]["clients"]),
        ["user_acme_owner", "user_acme_member"]
    );
    until_there_are(&live, &mut owner, 2).await;

    let url = live.served.url(&format!("{}/events", live.path()));
    let events = Events::open(&url, &live.token(Person::Admin), None).await;
    let clients = until_there_are(&live, &mut owner, 3).await;
    assert_eq!(users(&clients)[2], "user_acme_admin");
    drop(events);
    until_there_are(&live, &mut owner, 2).await;
    drop(member);
    let clients = until_there_are(&live, &mut owner, 1).await;
    assert_eq!(users(&clients), ["user_acme_owner"]);
    assert_eq!(
        live.log().await,
        [] as [String; 0],
        "it is about this moment"
    );
}
