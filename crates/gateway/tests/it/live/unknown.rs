//! The resources of a WebSocket whose client is not authenticated yet.

use domain::limits::{
    LIVE_FRAME_BYTES_MAX, SOCKET_UNKNOWN_FRAME_BYTES_MAX, SOCKETS_UNKNOWN_PER_PEER_MAX,
};
use serde_json::json;
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};

use super::{
    Live,
    client::{PATIENCE, Socket},
};

const FORWARDED: &str = "x-forwarded-for";

async fn behind_a_proxy() -> Live {
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| options.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()]);
    Live::with(app.start().await).await
}

/// Opens as many connections as one client may that says nothing.
async fn silent(live: &Live, headers: &[(&str, &str)]) -> Vec<Socket> {
    let mut open = Vec::new();
    for _ in 0..SOCKETS_UNKNOWN_PER_PEER_MAX {
        let socket = Socket::open(live.served.address, &live.path(), headers).await;
        open.push(socket.unwrap());
    }
    open
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_address_has_so_many_silent_connections_and_takes_none_from_others() {
    let live = behind_a_proxy().await;
    let (address, path) = (live.served.address, live.path());
    let attacker = [(FORWARDED, "203.0.113.5")];
    let mut held = silent(&live, &attacker).await;
    let open = async |from: &str| {
        let socket = Socket::open(address, &path, &[(FORWARDED, from)]).await;
        socket.map(drop)
    };
    assert_eq!(open("203.0.113.5").await, Err(503));
    // Elements to the left are the client's own claims.
    assert_eq!(open("198.51.100.1, 203.0.113.5").await, Err(503));
    assert_eq!(open("198.51.100.1").await, Ok(()));
    // A client that says in the request who it is needs no place among them.
    let bearer = format!("Bearer {}", live.token(Person::Member));
    let known = [attacker[0], ("authorization", bearer.as_str())];
    let mut known = Socket::open(address, &path, &known).await.unwrap();
    known.next_of("init").await;
    // One that says it gives its place back.
    let auth = json!({"type": "auth", "token": live.token(Person::Member)});
    held[0].send(auth).await;
    held[0].next_of("init").await;
    assert_eq!(open("203.0.113.5").await, Ok(()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_a_proxy_names_no_client_the_proxy_has_so_many() {
    let live = behind_a_proxy().await;
    let _held = silent(&live, &[]).await;
    let further = Socket::open(live.served.address, &live.path(), &[]).await;
    assert_eq!(further.map(drop), Err(503));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_is_known_takes_no_such_place_while_its_sandbox_comes_up() {
    let live = Live::start(Backend::Sqlite).await;
    live.agent.never_boot();
    let path = format!("{}/terminal", live.path());
    let auth = json!({"type": "auth", "token": live.token(Person::Owner)});
    let mut waiting = Vec::new();
    for _ in 0..=SOCKETS_UNKNOWN_PER_PEER_MAX {
        let opened = async {
            loop {
                match Socket::open(live.served.address, &path, &[]).await {
                    Ok(socket) => return socket,
                    // The gateway has not read the frame of the one before.
                    Err(status) => assert_eq!(status, 503),
                }
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
        };
        let opened = tokio::time::timeout(PATIENCE, opened).await;
        let mut socket = opened.expect("a place is given back");
        socket.send(auth.clone()).await;
        waiting.push(socket);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_says_in_a_frame_who_it_is_sends_small_frames() {
    let live = Live::start(Backend::Sqlite).await;
    let (address, path) = (live.served.address, live.path());
    let long = "x".repeat(SOCKET_UNKNOWN_FRAME_BYTES_MAX);
    let auth = json!({"type": "auth", "token": live.token(Person::Owner)});
    for is_known in [false, true] {
        let mut socket = Socket::open(address, &path, &[]).await.unwrap();
        if is_known {
            socket.send(auth.clone()).await;
            socket.next_of("init").await;
        }
        socket
            .send(json!({"type": "prompt", "content": long}))
            .await;
        let (_, code, reason) = socket.closed().await;
        assert_eq!(code, 1009, "{reason}");
        let way = "for larger ones give the token in a header or subprotocol, or use POST";
        assert!(reason.ends_with(way), "{reason}");
    }
    let terminal = format!("{path}/terminal");
    let mut socket = Socket::open(address, &terminal, &[]).await.unwrap();
    socket.send_text(&long).await;
    let (_, code, _) = socket.closed().await;
    assert_eq!(code, 1008, "a frame of the limit is read");
    // One that was known at the upgrade says all that can be kept, with pictures.
    let picture = format!("data:image/png;base64,{}", "A".repeat(1024 * 1024));
    let prompt = json!({"type": "prompt", "content": long, "images": [picture]});
    assert!(prompt.to_string().len() < LIVE_FRAME_BYTES_MAX);
    let mut socket = live.connect("").await;
    socket.next_of("init").await;
    socket.send(prompt).await;
    socket.next_of("message_complete").await;
}
