//! Listeners for users, for sandboxes and for metrics: what each serves, and that load on one does not affect the
//! others.

use std::{net::SocketAddr, time::Duration};

use serde_json::Value;
use testkit::{
    app::{Person, Served, TestApp},
    database::Backend,
};
use tokio::{io::AsyncReadExt as _, net::TcpStream};

use crate::support::create;

/// Long enough for anything that should happen.
const SOON: Duration = Duration::from_mins(1);

/// What a sandbox reaches. `tests/it/authorization.table` says what it may do there.
const OF_SANDBOXES: [&str; 28] = [
    "GET /errors/{code}",
    "GET /health",
    "GET /proliferate/{id}/actions/available",
    "GET /proliferate/{id}/actions/grants",
    "GET /proliferate/{id}/actions/guide/{integration}",
    "GET /proliferate/{id}/actions/invocations",
    "GET /proliferate/{id}/actions/invocations/{invocation}",
    "GET /proliferate/{id}/git/{repo}/info/refs",
    "GET /v1/artifacts",
    "GET /v1/artifacts/{id}",
    "GET /v1/artifacts/{id}/content",
    "GET /v1/me",
    "GET /v1/runs/{id}",
    "GET /v1/runs/{id}/children",
    "POST /internal/tools/{tool}",
    "POST /llm/anthropic/v1/messages",
    "POST /llm/anthropic/v1/messages/count_tokens",
    "POST /proliferate/{id}/actions/grants",
    "POST /proliferate/{id}/actions/invoke",
    "POST /proliferate/{id}/git/{repo}/git-receive-pack",
    "POST /proliferate/{id}/git/{repo}/git-upload-pack",
    "POST /proliferate/{id}/mcp",
    "POST /proliferate/{id}/tools/{tool}",
    "POST /v1/artifacts",
    "POST /v1/runs",
    "POST /v1/runs/{id}/cancel",
    "POST /v1/runs/{id}/end",
    "POST /v1/tool-calls",
];

fn url(address: Option<SocketAddr>, path: &str) -> String {
    format!("http://{}{path}", address.expect("a listener"))
}

async fn status(url: String, token: &str) -> u16 {
    let request = reqwest::Client::new().get(url).bearer_auth(token);
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sandboxes_are_served_the_routes_that_they_use_and_no_others() {
    let app = TestApp::start(Backend::Sqlite).await;
    let served = app.serve_apart().await;
    let client = reqwest::Client::new();
    let document: Value = client
        .get(served.url("/openapi.json"))
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let mut reached = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            let method = method.to_uppercase();
            let filled = path.replace("{n}", "1");
            let filled = filled.replace(['{', '}'], "");
            let asked = client.request(method.parse().unwrap(), url(served.sandboxes, &filled));
            let answer = asked.send().await.unwrap();
            let (status, text) = (answer.status().as_u16(), answer.text().await.unwrap());
            let is_absent = status == 404 && text.contains("there is no route");
            if !is_absent && status != 405 {
                reached.push(format!("{method} {path}"));
            }
        }
    }
    reached.sort();
    assert_eq!(reached, OF_SANDBOXES);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sandbox_works_by_its_listener_and_a_person_does_not() {
    let app = TestApp::start(Backend::Sqlite).await;
    let session = create(&app, serde_json::json!({})).await;
    let id = session["sessionId"].as_str().unwrap();
    let served = app.serve_apart().await;
    let agent = app.sandbox_token(id.parse().unwrap()).await;
    let owner = app.user_token(Person::Owner);
    let available = format!("/proliferate/{id}/actions/available");
    assert_eq!(status(url(served.sandboxes, &available), &agent).await, 200);
    // Instances forward requests of sandboxes to each other through the user listener.
    assert_eq!(status(served.url(&available), &agent).await, 200);
    assert_eq!(
        status(url(served.sandboxes, "/v1/sessions"), &owner).await,
        404
    );
    assert_eq!(status(served.url("/v1/sessions"), &owner).await, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn measurements_on_a_listener_of_their_own_are_nowhere_else() {
    let app = TestApp::start(Backend::Sqlite).await;
    let owner = app.user_token(Person::Owner);
    let apart = app.serve_apart().await;
    assert_eq!(status(url(apart.metrics, "/metrics"), "").await, 200);
    assert_eq!(status(apart.url("/metrics"), &owner).await, 404);
    assert_eq!(status(url(apart.sandboxes, "/metrics"), "").await, 404);
    assert_eq!(status(url(apart.metrics, "/v1/me"), &owner).await, 404);
    let together = app.serve().await;
    assert_eq!(status(together.url("/metrics"), "").await, 200);
}

/// Connections that say nothing.
async fn silent(address: SocketAddr, count: usize) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    for _ in 0..count {
        streams.push(TcpStream::connect(address).await.unwrap());
    }
    streams
}

/// Of these, how many the server has closed.
fn closed(streams: &[TcpStream]) -> usize {
    let mut byte = [0];
    let is_closed = |stream: &&TcpStream| match stream.try_read(&mut byte) {
        Ok(count) => count == 0,
        Err(error) => error.kind() != std::io::ErrorKind::WouldBlock,
    };
    streams.iter().filter(is_closed).count()
}

async fn until_closed(streams: &[TcpStream], count: usize) {
    let all = async {
        while closed(streams) < count {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let in_time = tokio::time::timeout(SOON, all).await;
    assert!(in_time.is_ok(), "{} of {count} are closed", closed(streams));
}

async fn me(served: &Served, token: &str) -> u16 {
    let asked = tokio::time::timeout(SOON, status(served.url("/v1/me"), token));
    asked.await.expect("people are served")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_connections_of_a_sandbox_take_no_place_of_people_nor_of_sandboxes() {
    const SILENT: usize = 400;
    const HANDSHAKES: usize = 20;
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| {
            options.sandboxes.connections_max = 40;
            options.sandboxes.handshakes_per_peer_max = HANDSHAKES;
            options.people.connections_max = 8;
            // They end because there are too many of them, and not with time.
            options.sandboxes.first_byte_timeout = Duration::from_hours(1);
            options.request_timeout = Duration::from_hours(1);
        })
        .start()
        .await;
    let served = app.serve_apart().await;
    let streams = silent(served.sandboxes.unwrap(), SILENT).await;
    until_closed(&streams, SILENT - HANDSHAKES).await;
    assert_eq!(me(&served, &app.user_token(Person::Owner)).await, 200);
    let health = tokio::time::timeout(SOON, status(url(served.sandboxes, "/health"), ""));
    assert_eq!(health.await.expect("sandboxes are served"), 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_connections_to_the_user_listener_take_no_slot_of_others() {
    // A sandbox of the rootless tier shares the machine's network.
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| {
            options.people.connections_max = 40;
            options.people.from_loopback_max = 40;
            options.people.first_byte_timeout = Duration::from_hours(1);
            options.request_timeout = Duration::from_hours(1);
        })
        .start()
        .await;
    let served = app.serve().await;
    let streams = silent(served.address, 300).await;
    for _ in 0..3 {
        assert_eq!(me(&served, &app.user_token(Person::Owner)).await, 200);
    }
    until_closed(&streams, 300 - 40).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_connection_ends_soon_and_an_idle_one_when_its_time_is_over() {
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| {
            options.sandboxes.first_byte_timeout = Duration::from_millis(100);
            options.people.idle_timeout = Duration::from_millis(200);
        })
        .start()
        .await;
    let served = app.serve_apart().await;
    let streams = silent(served.sandboxes.unwrap(), 3).await;
    until_closed(&streams, 3).await;

    let mut idle = TcpStream::connect(served.address).await.unwrap();
    let request = b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n";
    tokio::io::AsyncWriteExt::write_all(&mut idle, request)
        .await
        .unwrap();
    let mut answer = [0; 4096];
    assert!(idle.read(&mut answer).await.unwrap() > 0);
    // Time is what the clock says.
    assert_eq!(closed(std::slice::from_ref(&idle)), 0);
    app.clock.advance(Duration::from_millis(200));
    until_closed(&[idle], 1).await;
}
