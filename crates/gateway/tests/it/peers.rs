//! What one client has at most: its connections and its requests under way, known by its address, by its sandbox token,
//! or by what a trusted proxy says.

use std::{net::SocketAddr, time::Duration};

use axum::http::HeaderValue;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::network::Network;
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
const SOON: Duration = Duration::from_mins(1);

/// A request on a connection that stays; the status of the answer.
async fn ask(stream: &mut TcpStream, path: &str, token: &str, headers: &str) -> u16 {
    let headers = format!("authorization: Bearer {token}\r\n{headers}");
    ask_with(stream, path, headers.as_bytes()).await
}

/// The same with these headers alone, which need not be text.
async fn ask_with(stream: &mut TcpStream, path: &str, headers: &[u8]) -> u16 {
    let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\n");
    let request = [head.as_bytes(), headers, b"\r\n"].concat();
    stream.write_all(&request).await.unwrap();
    let mut answer = vec![0; 16 * 1024];
    let read = tokio::time::timeout(SOON, stream.read(&mut answer))
        .await
        .unwrap();
    let text = String::from_utf8_lossy(&answer[..read.unwrap()]).into_owned();
    text[9..12].parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sandbox_token_has_so_many_connections_and_a_new_one_ends_the_oldest_idle_one() {
    // A sandbox connects from loopback, which is at most a proxy of users.
    for trusted in [vec![], vec!["127.0.0.0/8".parse().unwrap()]] {
        so_many_connections_of_a_sandbox_token(trusted).await;
    }
}

async fn so_many_connections_of_a_sandbox_token(trusted: Vec<Network>) {
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| {
            options.sandboxes.per_session_max = 3;
            options.trusted_proxies = trusted;
        })
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
        // The clock determines which was idle first.
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

/// Starts a request whose response waits for a signal.
fn hold(address: SocketAddr, token: String, client: &[u8]) -> tokio::task::JoinHandle<u16> {
    let request = reqwest::Client::new()
        .post(format!("http://{address}{SESSIONS}"))
        .bearer_auth(token)
        .header("x-forwarded-for", HeaderValue::from_bytes(client).unwrap())
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
    // Another user, whose share is not used up.
    let other = app.user_token(Person::Member);
    let held = hold(served.address, token.clone(), b"203.0.113.5");
    app.provisioner.entered().await;
    for (from, expected) in [
        ("203.0.113.5", 503),
        // Elements to the left are the client's own claims.
        ("198.51.100.1, 203.0.113.5", 503),
        ("198.51.100.1, 203.0.113.5, 127.0.0.9", 503),
        ("198.51.100.1", 200),
        ("2001:db8::1", 200),
    ] {
        let status = ask_from(served.address, &other, Some(from.as_bytes())).await;
        assert_eq!(status, expected, "{from}");
    }
    // Nor does a byte that is no text.
    let status = ask_from(served.address, &other, Some(b"\xff, 203.0.113.5")).await;
    assert_eq!(status, 503);
    app.provisioner.release();
    assert_eq!(held.await.unwrap(), 201);
}

/// Asks over a connection of its own, with the header that a proxy sends, if it sends one.
async fn ask_from(address: SocketAddr, token: &str, forwarded_for: Option<&[u8]>) -> u16 {
    let mut headers = format!("authorization: Bearer {token}\r\n").into_bytes();
    if let Some(forwarded_for) = forwarded_for {
        headers.extend([b"x-forwarded-for: ", forwarded_for, b"\r\n"].concat());
    }
    let mut stream = TcpStream::connect(address).await.unwrap();
    ask_with(&mut stream, "/v1/me", &headers).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_for_which_a_proxy_names_no_address_are_the_proxy_s() {
    let app = TestApp::builder(Backend::Sqlite)
        .provision(Provision::Waits)
        .options(|options| {
            options.requests_in_flight_max = 2;
            options.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
        })
        .start()
        .await;
    let served = app.serve().await;
    // Of another organization, whose share is not used up.
    let other = app.user_token(Person::Foreigner);
    // nginx hands it on: `$proxy_add_x_forwarded_for` appends to what the client wrote, which need not be text.
    let held = hold(
        served.address,
        app.user_token(Person::Owner),
        b"\xff, not an address",
    );
    app.provisioner.entered().await;
    let table: [(Option<&[u8]>, u16); 9] = [
        (Some(b"\xff"), 503),
        (Some(b"not an address"), 503),
        (Some(b"203.0.113.5, \xff"), 503),
        (Some(b"203.0.113.5,"), 503),
        (Some(b"203.0.113.5, unknown"), 503),
        (Some(b""), 503),
        (None, 503),
        // The proxy before this one names an address.
        (Some(b"\xff, 203.0.113.5"), 200),
        (Some(b"\xff, 203.0.113.5, 127.0.0.9"), 200),
    ];
    for (from, expected) in table {
        let status = ask_from(served.address, &other, from).await;
        let from = from.map(String::from_utf8_lossy);
        assert_eq!(status, expected, "{from:?}");
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
    let held = hold(served.address, token.clone(), b"203.0.113.5");
    app.provisioner.entered().await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let header = "x-forwarded-for: 198.51.100.1\r\n";
    // There is room for another request, and not for another one of this machine.
    assert_eq!(ask(&mut stream, "/v1/me", &token, header).await, 503);
    app.provisioner.release();
    assert_eq!(held.await.unwrap(), 201);
}

/// A request that is under way for as long as the connection is open: its body never comes.
async fn stalled(address: SocketAddr, path: &str, header: &str) -> TcpStream {
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\n{header}\r\ncontent-type: application/json\r\n\
         content-length: 100\r\nexpect: 100-continue\r\n\r\n"
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    // Said when the body is waited for: then the request has its room.
    let mut answer = [0; 64];
    let read = tokio::time::timeout(SOON, stream.read(&mut answer))
        .await
        .unwrap()
        .unwrap();
    let text = String::from_utf8_lossy(&answer[..read]);
    assert!(text.starts_with("HTTP/1.1 100 "), "{text}");
    stream
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
    let path = format!("/proliferate/{id}/tools/verify");
    let authorization = format!("authorization: Bearer {agent}");
    let _slow = stalled(served.address, &path, &authorization).await;
    let mut stream = TcpStream::connect(served.sandboxes.unwrap()).await.unwrap();
    assert_eq!(ask(&mut stream, "/v1/me", &agent, "").await, 503);
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    assert_eq!(ask(&mut stream, "/v1/me", &owner, "").await, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sandbox_is_one_client_with_any_header_and_any_trusted_proxy() {
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| {
            options.requests_in_flight_max = 2;
            options.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
        })
        .start()
        .await;
    let session = create(&app, json!({})).await;
    let id = session["sessionId"].as_str().unwrap();
    let agent = app.sandbox_token(id.parse().unwrap()).await;
    let served = app.serve_apart().await;
    let path = format!("/proliferate/{id}/tools/verify");
    let headers = format!("authorization: Bearer {agent}\r\nx-forwarded-for: 203.0.113.5");
    let _slow = stalled(served.sandboxes.unwrap(), &path, &headers).await;
    for from in [None, Some(&b"198.51.100.1"[..]), Some(b"127.0.0.9")] {
        let status = ask_from(served.sandboxes.unwrap(), &agent, from).await;
        assert_eq!(status, 503, "{from:?}");
    }
}

/// A token with another session's MAC: spelled like one of ours.
fn forged(token: &str) -> String {
    let (rest, mac) = token.rsplit_once('_').unwrap();
    format!("{rest}_{}", "0".repeat(mac.len()))
}

fn basic(token: &str) -> String {
    let encoded = BASE64_STANDARD.encode(format!("x:{token}"));
    format!("authorization: Basic {encoded}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_takes_the_room_of_sandboxes_only_where_its_mac_is_ours() {
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| options.requests_in_flight_max = 1)
        .start()
        .await;
    let session = create(&app, json!({})).await;
    let id = session["sessionId"].as_str().unwrap();
    let agent = app.sandbox_token(id.parse().unwrap()).await;
    let model = app.model_key(id.parse().unwrap()).await;
    let served = app.serve_apart().await;
    let path = format!("/proliferate/{id}/tools/verify");
    let bearer = |token: &str| format!("authorization: Bearer {token}");
    // The capacity of sandboxes is used up, that of users is free.
    let _slow = stalled(served.sandboxes.unwrap(), &path, &bearer(&agent)).await;
    let git = format!("/proliferate/{id}/git/x/info/refs?service=git-upload-pack");
    let (git, me) = (git.as_str(), "/v1/me");
    for (path, header, expected) in [
        (me, bearer(&agent), 503),
        (me, bearer(&model), 503),
        (me, format!("x-api-key: {model}"), 503),
        (git, basic(&agent), 503),
        (me, bearer(&forged(&agent)), 401),
        (me, bearer("sbx_"), 401),
        (me, format!("x-api-key: {}", forged(&model)), 401),
        (git, basic(&forged(&agent)), 401),
        (git, "authorization: Basic eDp4".to_owned(), 401),
        // Git alone says it like this.
        (me, basic(&agent), 401),
    ] {
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        let status = ask_with(&mut stream, path, format!("{header}\r\n").as_bytes()).await;
        assert_eq!(status, expected, "{path} {header}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_client_of_the_listener_for_people_takes_the_room_of_sandboxes_without_a_token() {
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| options.requests_in_flight_max = 1)
        .start()
        .await;
    let session = create(&app, json!({})).await;
    let id = session["sessionId"].as_str().unwrap();
    let agent = app.sandbox_token(id.parse().unwrap()).await;
    let served = app.serve_apart().await;
    for header in [
        "authorization: Basic eDp4".to_owned(),
        format!("authorization: Bearer {}", forged(&agent)),
        format!("x-api-key: {}", forged(&agent)),
    ] {
        // A login needs no credential.
        let slow = stalled(served.address, "/v1/login", &header).await;
        let mut stream = TcpStream::connect(served.sandboxes.unwrap()).await.unwrap();
        let status = ask(&mut stream, "/v1/me", &agent, "").await;
        assert_eq!(status, 200, "{header}");
        drop(slow);
        let people = format!("http://{}/v1/me", served.address);
        let freed = async {
            while reqwest::get(&people).await.unwrap().status() == 503 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(SOON, freed).await.unwrap();
    }
}
