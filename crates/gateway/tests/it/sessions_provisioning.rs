//! Making the sandbox of a session at once, and what becomes of the session when that fails.

use std::time::Duration;

use domain::id::SessionId;
use serde_json::json;
use testkit::{
    app::{FakeAdmission, Provision, TestApp},
    database::Backend,
};

use crate::support::{SESSIONS, create, id};

testkit::on_both_databases!(
    a_sandbox_made_at_once_is_running,
    a_sandbox_that_fails_leaves_a_failed_session_under_its_key,
    a_sandbox_goes_on_when_its_client_is_gone,
    a_session_stopped_while_it_starts_stays_stopped,
    a_denied_organization_gets_nothing,
);

async fn a_sandbox_made_at_once_is_running(backend: Backend) {
    let app = TestApp::start(backend).await;
    let ssh = json!({"publicKeys": ["ssh-ed25519 AAAA ann@laptop"], "gitToken": "g", "localPath": "/home/ann"});
    for body in [
        json!({"provisioning": "immediate"}),
        json!({"sshOptions": ssh}),
    ] {
        let created = create(&app, body).await;
        assert_eq!(created["status"], "running");
        assert_eq!(created.get("provisioningError"), None);
        let path = format!("/v1/sessions/{}", id(&created));
        let shown = app.owner().get(&path).await.expect(200);
        assert_eq!(shown["startedAt"], "2026-01-01T00:00:00Z");
    }
    let git_token = app.provisioner.environment().remove("GIT_TOKEN");
    assert_eq!(git_token.as_deref(), Some("g"));
    create(&app, json!({})).await;
    assert_eq!(
        app.provisioner.calls(),
        2,
        "a deferred session makes no sandbox"
    );
}

async fn a_sandbox_that_fails_leaves_a_failed_session_under_its_key(backend: Backend) {
    let table = [
        (Provision::FailsForNow, "no capacity left", true),
        (Provision::FailsForGood, "the image does not exist", false),
        (
            Provision::Panics,
            "the sandbox provider failed unexpectedly",
            false,
        ),
    ];
    for (provision, message, retryable) in table {
        let app = TestApp::builder(backend).provision(provision).start().await;
        let body = json!({"provisioning": "immediate"});
        let post = || {
            app.owner()
                .post(SESSIONS, body.clone())
                .header("idempotency-key", "k")
        };
        let created = post().await.expect(201);
        assert_eq!(created["status"], "failed");
        let error = json!({"message": message, "retryable": retryable});
        assert_eq!(created["provisioningError"], error);

        let again = post().await.expect(200);
        assert_eq!(again["sessionId"], created["sessionId"]);
        assert_eq!(again["status"], "failed");
        assert_eq!(app.provisioner.calls(), 1);
        let path = format!("/proliferate/sessions/{}/status", id(&created));
        let status = app.owner().get(&path).await.expect(200);
        assert_eq!(status["reason"], message);
        assert_eq!(status["state"], "terminated");
    }
}

async fn a_sandbox_goes_on_when_its_client_is_gone(backend: Backend) {
    let app = TestApp::builder(backend)
        .provision(Provision::Waits)
        .start()
        .await;
    let client = app.owner();
    let post = move || {
        let call = client.post(SESSIONS, json!({"provisioning": "immediate"}));
        call.header("idempotency-key", "k")
    };
    let call = post();
    let gone = tokio::spawn(async move { call.await });
    app.provisioner.entered().await;
    gone.abort();
    let meanwhile = post().await.expect(200);
    assert_eq!(meanwhile["status"], "starting");
    app.provisioner.release();
    let session: SessionId = id(&meanwhile).parse().unwrap();
    let finished = async {
        while app.session(session).await.state.status().as_str() == "starting" {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), finished)
        .await
        .unwrap();
    assert_eq!(post().await.expect(200)["status"], "running");
    assert_eq!(app.provisioner.calls(), 1);
}

async fn a_session_stopped_while_it_starts_stays_stopped(backend: Backend) {
    let app = TestApp::builder(backend)
        .provision(Provision::Waits)
        .start()
        .await;
    let call = app
        .owner()
        .post(SESSIONS, json!({"provisioning": "immediate"}));
    let creating = tokio::spawn(async move { call.await });
    app.provisioner.entered().await;
    let list = app.owner().get("/v1/sessions").await.expect(200);
    let path = format!("/v1/sessions/{}", id(&list["items"][0]));
    app.owner().delete(&path).await.expect(200);
    app.provisioner.release();
    let created = creating.await.unwrap().expect(201);
    assert_eq!(created["status"], "stopped");
}

async fn a_denied_organization_gets_nothing(backend: Backend) {
    let denies = FakeAdmission::Denies("the plan allows no more sessions");
    let app = TestApp::builder(backend).admission(denies).start().await;
    let answer = app.owner().post(SESSIONS, json!({})).await;
    let problem = answer.expect_problem(402, "ADMISSION_DENIED");
    assert_eq!(problem["detail"], "the plan allows no more sessions");
    let list = app.owner().get("/v1/sessions").await.expect(200);
    assert_eq!(list["items"], json!([]));
}
