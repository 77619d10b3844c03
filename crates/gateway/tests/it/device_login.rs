//! Logins of terminals: a key for the terminal that was approved, once, and nothing for any other.

use std::time::Duration;

use axum::http::Method;
use domain::limits::{
    DEVICE_CODE_TRIES_MAX, DEVICE_KEY_LIFE, DEVICE_LOGIN_LIFE, DEVICE_LOGINS_PER_CLIENT_MAX,
    DEVICE_POLL_INTERVAL,
};
use serde_json::{Value, json};
use testkit::{
    app::{Person, TestApp, TestResponse},
    database::Backend,
};

use crate::login::Browser;

testkit::on_both_databases!(
    an_approved_terminal_acts_as_the_member_and_its_key_is_listed,
    a_login_is_decided_once_and_its_key_is_fetched_once,
    two_requests_at_once_get_one_key,
    a_denied_or_late_terminal_gets_nothing,
    a_member_who_was_removed_has_approved_nothing,
    terminals_that_wait_are_bounded_and_swept,
);

const TOKEN: &str = "/v1/login/device/token";

/// A login that waits: the terminal's code and the member's.
pub(crate) async fn started(app: &TestApp) -> (String, String) {
    let body = json!({"machine": "ada-laptop"});
    let answer = app.anonymous().post("/v1/login/device", body).await;
    let started = answer.expect(201);
    let text = |name: &str| started[name].as_str().unwrap().to_owned();
    (text("deviceCode"), text("userCode"))
}

pub(crate) async fn browser(app: &TestApp) -> Browser<'_> {
    Browser::let_in(app, &app.user_token(Person::Member)).await
}

pub(crate) async fn decide(browser: &Browser<'_>, code: &str, decision: &str) -> TestResponse {
    let body = json!({"code": code, "decision": decision});
    let call = browser.ask(Method::POST, "/v1/login/device/decision");
    call.json(&body).await
}

async fn shown(browser: &Browser<'_>, code: &str) -> TestResponse {
    let path = format!("/v1/login/device?code={code}");
    browser.ask(Method::GET, &path).await
}

/// Asks as a terminal does, after the interval.
async fn redeemed(app: &TestApp, device_code: &str) -> Value {
    app.clock.advance(DEVICE_POLL_INTERVAL);
    redeemed_at_once(app, device_code).await
}

async fn redeemed_at_once(app: &TestApp, device_code: &str) -> Value {
    let body = json!({ "deviceCode": device_code });
    app.anonymous().post(TOKEN, body).await.expect(200)
}

async fn an_approved_terminal_acts_as_the_member_and_its_key_is_listed(backend: Backend) {
    let app = TestApp::start(backend).await;
    let answer = app
        .anonymous()
        .post("/v1/login/device", json!({"machine": "ada-laptop"}))
        .await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let started = answer.expect(201);
    let (device_code, code) = (
        started["deviceCode"].as_str().unwrap(),
        started["userCode"].as_str().unwrap(),
    );
    let expected = format!("http://gateway.test/device?code={code}");
    assert_eq!(started["verificationUrl"], json!(expected));
    assert_eq!(started["expiresInSeconds"], json!(600));
    assert_eq!(started["intervalSeconds"], json!(5));

    assert_eq!(
        redeemed(&app, device_code).await,
        json!({"status": "pending"})
    );
    assert_eq!(
        redeemed_at_once(&app, device_code).await,
        json!({"status": "slow_down"})
    );

    let browser = browser(&app).await;
    let typed = code.to_lowercase().replace('-', "");
    let view = shown(&browser, &typed).await.expect(200);
    assert_eq!(view["machine"], "ada-laptop");
    assert_eq!(view["client"], "unknown");
    assert_eq!(view["keyExpiresInSeconds"], DEVICE_KEY_LIFE.as_secs());
    decide(&browser, &typed, "approve").await.expect(200);

    let approved = redeemed(&app, device_code).await;
    assert_eq!(approved["status"], "approved");
    let key = approved["key"].as_str().unwrap();
    let me = app.with_token(key).get("/v1/me").await.expect(200);
    assert_eq!(
        (&me["userId"], &me["role"]),
        (&json!("user_acme_member"), &json!("member"))
    );
    assert_eq!(me["signedInBy"], "api_key");
    let listed = app.member().get("/v1/api-keys").await.expect(200);
    assert_eq!(listed["items"][0], approved["apiKey"]);
    assert_eq!(listed["items"][0]["name"], "ada-laptop");

    // A key of a terminal ends.
    app.clock.advance(DEVICE_KEY_LIFE);
    let answer = app.with_token(key).get("/v1/me").await;
    answer.expect_problem(401, "UNAUTHENTICATED");
}

async fn a_login_is_decided_once_and_its_key_is_fetched_once(backend: Backend) {
    let app = TestApp::start(backend).await;
    let browser = browser(&app).await;
    let (device_code, code) = started(&app).await;
    decide(&browser, &code, "approve").await.expect(200);
    for decision in ["approve", "deny"] {
        let answer = decide(&browser, &code, decision).await;
        answer.expect_problem(404, "NOT_FOUND");
    }
    shown(&browser, &code)
        .await
        .expect_problem(404, "NOT_FOUND");
    assert_eq!(redeemed(&app, &device_code).await["status"], "approved");
    assert_eq!(
        redeemed(&app, &device_code).await,
        json!({"status": "expired"})
    );
    // The member's code does not fetch a key, nor does one that never was.
    for wrong in [code.as_str(), "", "dvc_0"] {
        assert_eq!(
            redeemed(&app, wrong).await,
            json!({"status": "expired"}),
            "{wrong}"
        );
    }
    app::audit::sign_pending(&app.app, &app.acme).await.unwrap();
    let events = app
        .owner()
        .get("/v1/audit/events")
        .await
        .expect(200)
        .to_string();
    for operation in ["device_login_approve", "api_key_create"] {
        assert!(events.contains(operation), "{operation}");
    }
    for secret in ["dvc_", "ada-laptop", code.as_str()] {
        assert!(!events.contains(secret), "{secret}");
    }
}

async fn two_requests_at_once_get_one_key(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (device_code, code) = started(&app).await;
    decide(&browser(&app).await, &code, "approve")
        .await
        .expect(200);
    app.clock.advance(DEVICE_POLL_INTERVAL);
    let answers = tokio::join!(
        redeemed_at_once(&app, &device_code),
        redeemed_at_once(&app, &device_code)
    );
    let keys = [&answers.0, &answers.1];
    let keys = keys.iter().filter(|answer| answer["key"].is_string());
    assert_eq!(keys.count(), 1, "{answers:?}");
    let listed = app.member().get("/v1/api-keys").await.expect(200);
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
}

async fn a_denied_or_late_terminal_gets_nothing(backend: Backend) {
    let app = TestApp::start(backend).await;
    let browser = browser(&app).await;
    let (device_code, code) = started(&app).await;
    decide(&browser, &code, "deny").await.expect(200);
    assert_eq!(
        redeemed(&app, &device_code).await,
        json!({"status": "denied"})
    );

    // Not approved in time, and approved but not fetched in time.
    let (late, code) = started(&app).await;
    let (unfetched, approved) = started(&app).await;
    decide(&browser, &approved, "approve").await.expect(200);
    app.clock.advance(DEVICE_LOGIN_LIFE);
    let answer = decide(&browser, &code, "approve").await;
    answer.expect_problem(404, "NOT_FOUND");
    shown(&browser, &code)
        .await
        .expect_problem(404, "NOT_FOUND");
    for device_code in [late, unfetched] {
        assert_eq!(
            redeemed(&app, &device_code).await,
            json!({"status": "expired"})
        );
    }
    let listed = app.member().get("/v1/api-keys").await.expect(200);
    assert_eq!(listed["items"], json!([]));
}

async fn a_member_who_was_removed_has_approved_nothing(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (device_code, code) = started(&app).await;
    decide(&browser(&app).await, &code, "approve")
        .await
        .expect(200);
    let mut tx = app.database.db.write().await.unwrap();
    let user_id = Person::Member.user_id();
    store::member_delete(&mut tx, &app.acme, &user_id)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(
        redeemed(&app, &device_code).await,
        json!({"status": "expired"})
    );
}

async fn terminals_that_wait_are_bounded_and_swept(backend: Backend) {
    let app = TestApp::start(backend).await;
    for _ in 0..DEVICE_LOGINS_PER_CLIENT_MAX {
        started(&app).await;
    }
    let body = json!({"machine": "one-more"});
    let refused = app.anonymous().post("/v1/login/device", body.clone()).await;
    refused.expect_problem(429, "RATE_LIMITED");
    app.clock
        .advance(DEVICE_LOGIN_LIFE + Duration::from_secs(1));
    // Those that are over do not count, swept or not.
    app.anonymous()
        .post("/v1/login/device", body)
        .await
        .expect(201);
    let swept = app::identity::sweep_device_logins(&app.app).await.unwrap();
    assert_eq!(i64::try_from(swept).unwrap(), DEVICE_LOGINS_PER_CLIENT_MAX);
}

#[tokio::test]
async fn a_browser_tries_few_codes() {
    let app = TestApp::start(Backend::Sqlite).await;
    let browser = browser(&app).await;
    for _ in 0..DEVICE_CODE_TRIES_MAX {
        let answer = shown(&browser, "BCDF-GHJK").await;
        answer.expect_problem(404, "NOT_FOUND");
    }
    let answer = decide(&browser, "BCDF-GHJK", "approve").await;
    answer.expect_problem(429, "RATE_LIMITED");
}

#[tokio::test]
async fn a_machine_is_named_by_one_visible_line() {
    let app = TestApp::start(Backend::Sqlite).await;
    let long = "x".repeat(101);
    for machine in ["", "a\nb", "a\u{202e}b", long.as_str()] {
        let body = json!({ "machine": machine });
        let answer = app.anonymous().post("/v1/login/device", body).await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], "machine", "{machine:?}");
    }
}

#[tokio::test]
async fn only_a_browser_that_is_signed_in_decides() {
    let app = TestApp::start(Backend::Sqlite).await;
    let (_, code) = started(&app).await;
    let body = json!({"code": code, "decision": "approve"});
    let service = app.with_token(app.service_token(&app.acme));
    for client in [app.owner(), app.member(), service] {
        let answer = client.post("/v1/login/device/decision", body.clone()).await;
        answer.expect_problem(403, "FORBIDDEN");
    }
    // A page of another origin has the cookie and not the header.
    let browser = browser(&app).await;
    let call = app
        .anonymous()
        .call(Method::POST, "/v1/login/device/decision");
    let call = call.header("cookie", &browser.cookie).json(&body);
    call.await.expect_problem(403, "FORBIDDEN");
}
