//! Bounds on what the gateway takes on: time, requests at once, and what it survives.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{
    app::{FakeAdmission, Provision, TestApp},
    database::Backend,
};

use crate::support::SESSIONS;

testkit::on_both_databases!(
    a_request_that_takes_too_long_is_given_up,
    a_busy_gateway_says_so_at_once_and_recovers,
    a_panic_is_one_answer_and_not_the_end,
);

/// Long enough for anything that should happen.
const SOON: Duration = Duration::from_mins(1);
/// For a request that is meant to take too long: others of the same test must be answered in it on a busy machine.
const SHORT: Duration = Duration::from_secs(2);

fn immediate() -> Value {
    json!({"provisioning": "immediate"})
}

async fn a_request_that_takes_too_long_is_given_up(backend: Backend) {
    let app = TestApp::builder(backend)
        .provision(Provision::Waits)
        .options(|options| options.request_timeout = SHORT)
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
    app.anonymous().get("/health").await.expect(200);
    assert_eq!(app.anonymous().get("/metrics").await.status, 200);
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
