//! Exactly once: whatever is retried, raced or changed under one key, there is one session.

use futures::future::join_all;
use serde_json::{Value, json};
use testkit::{
    app::{Client, Person, TestApp, TestResponse},
    database::Backend,
};

use crate::support::SESSIONS;

testkit::on_both_databases!(
    a_retry_gets_the_same_answer,
    a_key_belongs_to_one_request_of_one_person,
    a_key_means_nothing_to_another_organization,
    requests_without_a_key_are_all_different,
    the_spelling_of_a_request_does_not_matter,
    of_64_creates_with_one_key_one_makes_the_session,
    racing_creates_of_different_keys_share_one_managed_configuration,
);

async fn create(client: &Client, key: &str, body: Value) -> TestResponse {
    let call = client.post(SESSIONS, body);
    call.header("idempotency-key", key).await
}

async fn count(app: &TestApp, noun: &str) -> usize {
    let list = app.owner().get(&format!("/v1/{noun}?limit=100")).await;
    list.expect(200)["items"].as_array().unwrap().len()
}

async fn a_retry_gets_the_same_answer(backend: Backend) {
    let app = TestApp::start(backend).await;
    let repo = json!({"name": "web", "source": "local"});
    app.owner().post("/v1/repos", repo).await.expect(201);
    let unknown = "0192f0c1-2345-7abc-8def-0123456789ab";
    let body = json!({
        "title": "once", "integrationIds": [unknown], "managedConfiguration": {},
        "envVars": {"A": "1"},
    });
    let mut first = create(&app.owner(), "k", body.clone()).await.expect(201);
    assert_eq!(first["integrationWarnings"][0]["integrationId"], unknown);
    assert_eq!(first["isNewConfiguration"], true);
    app.clock.advance(std::time::Duration::from_hours(1));
    let again = create(&app.owner(), "k", body).await.expect(200);
    first["alreadyExisted"] = json!(true);
    assert_eq!(again, first);
    assert_eq!(count(&app, "sessions").await, 1);
    assert_eq!(count(&app, "configurations").await, 1);
}

async fn a_key_belongs_to_one_request_of_one_person(backend: Backend) {
    let app = TestApp::start(backend).await;
    let body = json!({"title": "a", "envVars": {"A": "1"}});
    create(&app.owner(), "k", body.clone()).await.expect(201);
    let others = [
        (app.owner(), json!({"title": "b", "envVars": {"A": "1"}})),
        (app.owner(), json!({"title": "a", "envVars": {"A": "2"}})),
        (app.owner(), json!({"title": "a"})),
        (app.owner(), json!({})),
        (app.member(), body.clone()),
        (app.with_token(app.service_token(&app.acme)), body),
    ];
    for (client, body) in others {
        let answer = create(&client, "k", body).await;
        answer.expect_problem(409, "IDEMPOTENCY_CONFLICT");
    }
    assert_eq!(count(&app, "sessions").await, 1);
    assert_eq!(count(&app, "secrets").await, 1);
}

async fn a_key_means_nothing_to_another_organization(backend: Backend) {
    let app = TestApp::start(backend).await;
    let ours = create(&app.owner(), "k", json!({})).await.expect(201);
    let theirs = create(&app.foreigner(), "k", json!({"title": "x"})).await;
    assert_ne!(theirs.expect(201)["sessionId"], ours["sessionId"]);
}

async fn requests_without_a_key_are_all_different(backend: Backend) {
    let app = TestApp::start(backend).await;
    for _ in 0..3 {
        app.owner().post(SESSIONS, json!({})).await.expect(201);
    }
    assert_eq!(count(&app, "sessions").await, 3);
}

async fn the_spelling_of_a_request_does_not_matter(backend: Backend) {
    let app = TestApp::start(backend).await;
    let spellings = [
        r#"{"title": "a", "provisioning": "deferred", "clientType": "web"}"#,
        r#"{"clientType":"web","provisioning":"deferred","title":"a"}"#,
        r#"{"title": "\u0061", "sandboxMode": "deferred", "clientType": "browser"}"#,
        r#"{"title": "a", "sandboxMode": "deferred", "clientType": "web", "envVars": {}, "modelId": null}"#,
    ];
    let mut statuses = vec![];
    for body in spellings {
        let call = app.owner().call(axum::http::Method::POST, SESSIONS);
        let call = call.body("application/json", body);
        statuses.push(call.header("idempotency-key", "k").await.status);
    }
    assert_eq!(statuses, [201, 200, 200, 200]);
}

/// Through two instances with pools of their own, half each.
async fn of_64_creates_with_one_key_one_makes_the_session(backend: Backend) {
    let app = TestApp::start(backend).await;
    let beside = app.beside().await;
    let body =
        json!({"title": "once", "cliConfiguration": {"localPathHash": "h"}, "envVars": {"A": "1"}});
    let racers = (0..64).map(|n| {
        let client = if n % 2 == 0 {
            app.owner()
        } else {
            beside.owner()
        };
        let body = body.clone();
        tokio::spawn(async move { create(&client, "k", body).await })
    });
    let answers: Vec<TestResponse> = join_all(racers)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let (new, old): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
    assert_eq!(
        new.len(),
        1,
        "{:?}",
        new.iter().map(|a| a.text()).collect::<Vec<_>>()
    );
    let first = new[0].json();
    for answer in old {
        let body = answer.expect(200);
        assert_eq!(body["alreadyExisted"], true);
        assert_eq!(body["sessionId"], first["sessionId"]);
    }
    for noun in ["sessions", "configurations", "secrets"] {
        assert_eq!(count(&app, noun).await, 1, "{noun}");
    }
}

async fn racing_creates_of_different_keys_share_one_managed_configuration(backend: Backend) {
    let app = TestApp::start(backend).await;
    let repo = json!({"name": "web", "source": "local"});
    app.owner().post("/v1/repos", repo).await.expect(201);
    let racers = (0..16).map(|n| {
        let who = if n % 2 == 0 {
            Person::Owner
        } else {
            Person::Member
        };
        let client = app.person(who);
        let body = json!({"managedConfiguration": {}});
        tokio::spawn(async move { create(&client, &format!("k{n}"), body).await })
    });
    let answers = join_all(racers).await;
    let answers: Vec<_> = answers
        .into_iter()
        .map(|answer| answer.unwrap().expect(201))
        .collect();
    let made = answers
        .iter()
        .filter(|answer| answer["isNewConfiguration"] == true);
    assert_eq!(made.count(), 1);
    for answer in &answers {
        assert_eq!(answer["configurationId"], answers[0]["configurationId"]);
    }
    assert_eq!(count(&app, "configurations").await, 1);
    assert_eq!(count(&app, "sessions").await, 16);
}
