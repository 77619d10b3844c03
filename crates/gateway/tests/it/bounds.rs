//! Bounds on what the gateway takes on: time, requests at once, panics, and the end of its life.

use std::time::Duration;

use gateway::Stopped;
use serde_json::{Value, json};
use testkit::{
    app::{FakeAdmission, Person, Provision, Served, TestApp},
    database::Backend,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinHandle,
};

use crate::support::{SESSIONS, id};

testkit::on_both_databases!(
    a_request_that_takes_too_long_is_given_up,
    a_busy_gateway_says_so_at_once_and_recovers,
    a_panic_is_one_answer_and_not_the_end,
);

/// Long enough for anything that should happen, short enough to wait for what should not.
const SOON: Duration = Duration::from_secs(10);

fn immediate() -> Value {
    json!({"provisioning": "immediate"})
}

async fn a_request_that_takes_too_long_is_given_up(backend: Backend) {
    let app = TestApp::builder(backend)
        .provision(Provision::Waits)
        .options(|options| options.request_timeout = Duration::from_millis(300))
        .start()
        .await;
    let post = || {
        app.owner()
            .post(SESSIONS, immediate())
            .header("idempotency-key", "k")
    };
    let answer = post().await;
    let problem = answer.expect_problem(503, "REQUEST_TIMEOUT");
    assert_eq!(problem["retryable"], true);
    // Nothing happens twice, and what was begun is finished.
    assert_eq!(post().await.expect(200)["status"], "starting");
    app.provisioner.release();
    let finished = async {
        while post().await.expect(200)["status"] == "starting" {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(SOON, finished).await.unwrap();
    assert_eq!(app.provisioner.calls(), 1);
}

async fn a_busy_gateway_says_so_at_once_and_recovers(backend: Backend) {
    let app = TestApp::builder(backend)
        .provision(Provision::Waits)
        .options(|options| options.requests_in_flight_max = 1)
        .start()
        .await;
    let call = app.owner().post(SESSIONS, immediate());
    let under_way = tokio::spawn(async move { call.await });
    app.provisioner.entered().await;
    let answer = app.owner().get("/v1/me").await;
    let problem = answer.expect_problem(503, "OVERLOADED");
    assert_eq!(problem["retryable"], true);
    assert_eq!(answer.header("retry-after"), Some("1"));
    // Busy is not dead.
    app.nobody().get("/health").await.expect(200);
    assert_eq!(app.nobody().get("/metrics").await.status, 200);
    app.provisioner.release();
    assert_eq!(under_way.await.unwrap().expect(201)["status"], "running");
    app.owner().get("/v1/me").await.expect(200);
}

async fn a_panic_is_one_answer_and_not_the_end(backend: Backend) {
    let app = TestApp::builder(backend)
        .admission(FakeAdmission::Panics)
        .options(|options| options.requests_in_flight_max = 1)
        .start()
        .await;
    for _ in 0..3 {
        let answer = app.owner().post(SESSIONS, json!({})).await;
        let problem = answer.expect_problem(500, "INTERNAL");
        assert!(!answer.text().contains("billing"), "{problem}");
        assert_eq!(problem["retryable"], false);
    }
    app.owner().get("/v1/me").await.expect(200);
}

/// A request for a session over a connection of its own, and the answer's text.
fn post(served: &Served, token: String) -> JoinHandle<(u16, String)> {
    let request = reqwest::Client::new()
        .post(served.url(SESSIONS))
        .bearer_auth(token)
        .json(&immediate());
    tokio::spawn(async move {
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
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
    let (status, text) = under_way.await.unwrap();
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
    under_way.abort();
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
            options.request_timeout = Duration::from_millis(500);
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
