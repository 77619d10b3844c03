//! The gateway on a real port: bodies as they come over the wire, connections that say nothing, and
//! the end of its life.

use std::time::Duration;

use gateway::Stopped;
use serde_json::json;
use testkit::{
    app::{Person, Provision, Served, TestApp},
    database::Backend,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinHandle,
};

use crate::support::{SESSIONS, id};

/// Long enough for anything that should happen.
const SOON: Duration = Duration::from_mins(1);

/// A request for a session over a connection of its own, and the answer's text.
fn post(served: &Served, token: String) -> JoinHandle<reqwest::Result<(u16, String)>> {
    let request = reqwest::Client::new()
        .post(served.url(SESSIONS))
        .bearer_auth(token)
        .json(&json!({"provisioning": "immediate"}));
    tokio::spawn(async move {
        let response = request.send().await?;
        Ok((response.status().as_u16(), response.text().await?))
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_answers_what_is_under_way_and_takes_nothing_new() {
    let app = TestApp::builder(Backend::Sqlite)
        .provision(Provision::Waits)
        .start()
        .await;
    let served = app.serve().await;
    let under_way = post(&served, app.user_token(Person::Owner));
    app.provisioner.entered().await;
    served.stop();
    let refused = async {
        while TcpStream::connect(served.address).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(SOON, refused).await.unwrap();
    assert!(!under_way.is_finished());
    app.provisioner.release();
    let (status, text) = under_way.await.unwrap().unwrap();
    assert_eq!(status, 201, "{text}");
    let session = id(&serde_json::from_str(&text).unwrap());
    assert_eq!(
        app.session(session.parse().unwrap())
            .await
            .state
            .status()
            .as_str(),
        "running"
    );
    let stopped = tokio::time::timeout(SOON, served.stopped()).await.unwrap();
    assert_eq!(stopped, Stopped::Drained);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_abandons_what_takes_too_long() {
    let app = TestApp::builder(Backend::Sqlite)
        .provision(Provision::Waits)
        .options(|options| options.shutdown_drain = Duration::from_millis(100))
        .start()
        .await;
    let served = app.serve().await;
    let under_way = post(&served, app.user_token(Person::Owner));
    app.provisioner.entered().await;
    served.stop();
    let stopped = tokio::time::timeout(SOON, served.stopped()).await.unwrap();
    assert_eq!(stopped, Stopped::Abandoned);
    let cut = tokio::time::timeout(SOON, under_way)
        .await
        .unwrap()
        .unwrap();
    assert!(cut.is_err(), "the connection ends with the server");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_does_not_wait_for_idle_connections() {
    let app = TestApp::start(Backend::Sqlite).await;
    let served = app.serve().await;
    let client = reqwest::Client::new();
    let health = client.get(served.url("/health")).send().await.unwrap();
    assert_eq!(health.text().await.unwrap(), r#"{"status":"ok"}"#);
    served.stop();
    let stopped = tokio::time::timeout(SOON, served.stopped()).await.unwrap();
    assert_eq!(stopped, Stopped::Drained);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_says_nothing_is_closed() {
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| options.request_timeout = Duration::from_millis(300))
        .start()
        .await;
    let served = app.serve().await;
    for head in ["", "PRI * HTTP/2.0", "GET /health HTTP/1.1\r\nHost: x\r\n"] {
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut rest = vec![];
        let closed = tokio::time::timeout(SOON, stream.read_to_end(&mut rest)).await;
        assert!(closed.is_ok(), "{head:?} keeps its place");
    }
    let silent = TcpStream::connect(served.address).await.unwrap();
    served.stop();
    let stopped = tokio::time::timeout(SOON, served.stopped()).await.unwrap();
    assert_eq!(stopped, Stopped::Drained, "{silent:?} does not hold it up");
}

/// Sends the head of a request and as much of its body as is taken; gives the answer's status line.
async fn status_line(served: &Served, head: &str, body: &[u8]) -> String {
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    // A server that refuses may stop reading.
    let _ = stream.write_all(body).await;
    let mut answer = vec![0; 64];
    let read = tokio::time::timeout(SOON, stream.read(&mut answer))
        .await
        .unwrap();
    let text = String::from_utf8_lossy(&answer[..read.unwrap_or(0)]).into_owned();
    text.lines().next().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_are_bounded_however_they_are_sent() {
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| {
            options.request_body_bytes_max = 1000;
            // For the one that is never sent; a busy machine must answer the others in it.
            options.request_timeout = Duration::from_secs(3);
        })
        .start()
        .await;
    let served = app.serve().await;
    let token = app.user_token(Person::Owner);
    let head = |rest: &str| {
        format!(
            "POST {SESSIONS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\n{rest}\r\n\r\n"
        )
    };
    let large = format!("{{\"title\": \"{}\"}}", "x".repeat(2000));
    let chunked = format!("{:x}\r\n{large}\r\n0\r\n\r\n", large.len());
    let table = [
        (
            "declared",
            head(&format!("Content-Length: {}", large.len())),
            large.as_bytes(),
            "413",
        ),
        (
            "chunked",
            head("Transfer-Encoding: chunked"),
            chunked.as_bytes(),
            "413",
        ),
        ("never sent", head("Content-Length: 100"), b"{", "503"),
        ("small", head("Content-Length: 2"), b"{}", "201"),
    ];
    for (name, head, body, status) in table {
        let line = status_line(&served, &head, body).await;
        assert!(
            line.starts_with(&format!("HTTP/1.1 {status} ")),
            "{name}: {line}"
        );
    }
}
