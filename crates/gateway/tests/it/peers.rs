//! What one client has at most: its connections and its requests under way, known by its address, by its sandbox token,
//! or by what a trusted proxy says.

use std::{net::SocketAddr, time::Duration};

use serde_json::json;
use testkit::{
    app::{Person, Provision, TestApp},
    database::Backend,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::support::{SESSIONS, create};

/// Long enough for anything that should happen.
const SOON: Duration = Duration::from_secs(20);

/// A request on a connection that stays; the status of the answer.
async fn ask(stream: &mut TcpStream, path: &str, token: &str, headers: &str) -> u16 {
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = vec![0; 16 * 1024];
    let read = tokio::time::timeout(SOON, stream.read(&mut answer))
        .await
        .unwrap();
    let text = String::from_utf8_lossy(&answer[..read.unwrap()]).into_owned();
    text[9..12].parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sandbox_token_has_so_many_connections_and_a_new_one_ends_the_oldest_idle_one() {
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| options.sandboxes.per_session_max = 3)
        .start()
        .await;
    let session = create(&app, json!({})).await;
    let id = session["sessionId"].as_str().unwrap().parse().unwrap();
    let other = create(&app, json!({})).await;
    let other = other["sessionId"].as_str().unwrap().parse().unwrap();
    let (token, another) = (app.sandbox_token(id).await, app.sandbox_token(other).await);
    let served = app.serve_apart().await;
    let mut streams = Vec::new();
    for token in [&another, &token, &token, &token, &token] {
        let mut stream = TcpStream::connect(served.sandboxes.unwrap()).await.unwrap();
        assert_eq!(ask(&mut stream, "/v1/me", token, "").await, 200);
        streams.push(stream);
        // Who was idle first is told by the clock.
        app.clock.advance(Duration::from_millis(10));
    }
    let mut byte = [0];
    let ended = tokio::time::timeout(SOON, streams[1].read(&mut byte)).await;
    assert!(matches!(ended, Ok(Ok(0) | Err(_))), "the oldest of its own");
    for (at, token) in [(0, &another), (2, &token), (4, &token)] {
        assert_eq!(
            ask(&mut streams[at], "/v1/me", token, "").await,
            200,
            "{at}"
        );
    }
}

/// Begins a request that is not answered before it is told so.
fn hold(address: SocketAddr, token: String, client: &str) -> tokio::task::JoinHandle<u16> {
    let request = reqwest::Client::new()
        .post(format!("http://{address}{SESSIONS}"))
        .bearer_auth(token)
        .header("x-forwarded-for", client)
        .json(&json!({"provisioning": "immediate"}));
    tokio::spawn(async move { request.send().await.unwrap().status().as_u16() })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_behind_a_trusted_proxy_has_its_part_and_no_more() {
    let app = TestApp::builder(Backend::Sqlite)
        .provision(Provision::Waits)
        .options(|options| {
            options.requests_in_flight_max = 4;
            options.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
        })
        .start()
        .await;
    let served = app.serve().await;
    let token = app.user_token(Person::Owner);
    // Another person, whose share is not used up.
    let other = app.user_token(Person::Member);
    let held = hold(served.address, token.clone(), "203.0.113.5");
    app.provisioner.entered().await;
    for (from, expected) in [
        ("203.0.113.5", 503),
        // What stands to the left is what the client says of itself.
        ("198.51.100.1, 203.0.113.5", 503),
        ("198.51.100.1, 203.0.113.5, 127.0.0.9", 503),
        ("198.51.100.1", 200),
        ("2001:db8::1", 200),
        ("not an address", 200),
    ] {
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        let header = format!("x-forwarded-for: {from}\r\n");
        assert_eq!(
            ask(&mut stream, "/v1/me", &other, &header).await,
            expected,
            "{from}"
        );
    }
    app.provisioner.release();
    assert_eq!(held.await.unwrap(), 201);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_client_says_of_itself_is_not_believed() {
    let app = TestApp::builder(Backend::Sqlite)
        .provision(Provision::Waits)
        .options(|options| options.requests_in_flight_max = 2)
        .start()
        .await;
    let served = app.serve().await;
    let token = app.user_token(Person::Owner);
    let held = hold(served.address, token.clone(), "203.0.113.5");
    app.provisioner.entered().await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let header = "x-forwarded-for: 198.51.100.1\r\n";
    // There is room for another request, and not for another one of this machine.
    assert_eq!(ask(&mut stream, "/v1/me", &token, header).await, 503);
    app.provisioner.release();
    assert_eq!(held.await.unwrap(), 201);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_of_sandboxes_take_the_room_of_sandboxes_wherever_they_come_in() {
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| options.requests_in_flight_max = 1)
        .start()
        .await;
    let session = create(&app, json!({})).await;
    let id = session["sessionId"].as_str().unwrap();
    let agent = app.sandbox_token(id.parse().unwrap()).await;
    let owner = app.user_token(Person::Owner);
    let served = app.serve_apart().await;
    // Its body never comes.
    let head = format!(
        "POST /proliferate/{id}/tools/verify HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {agent}\r\n\
         content-type: application/json\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n"
    );
    let mut slow = TcpStream::connect(served.address).await.unwrap();
    slow.write_all(head.as_bytes()).await.unwrap();
    // Said when the body is waited for: then the request has its room.
    let mut answer = [0; 64];
    let read = tokio::time::timeout(SOON, slow.read(&mut answer))
        .await
        .unwrap()
        .unwrap();
    assert!(answer[..read].starts_with(b"HTTP/1.1 100 "));
    let mut stream = TcpStream::connect(served.sandboxes.unwrap()).await.unwrap();
    assert_eq!(ask(&mut stream, "/v1/me", &agent, "").await, 503);
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    assert_eq!(ask(&mut stream, "/v1/me", &owner, "").await, 200);
}
