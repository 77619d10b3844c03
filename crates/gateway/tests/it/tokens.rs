//! Tokens: which are accepted, which are not, and the organization a request acts in.

use std::time::Duration;

use domain::{caller::Incarnation, clock::Clock, id::OrganizationId, role::Role};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use testkit::{
    app::{AUDIENCE, ISSUER, Person, SERVICE_SECRET, TestApp, USER_SECRET},
    database::Backend,
};

testkit::on_both_databases!(
    forged_tokens_are_refused,
    tokens_expire,
    a_removed_member_is_unauthenticated_at_once,
    a_changed_role_counts_at_once,
    a_service_acts_only_for_an_organization_that_exists,
    a_sandbox_token_dies_with_its_boot_and_its_session,
    api_keys_act_for_their_maker_until_they_end,
    a_request_says_which_of_two_organizations_it_is_for,
);

const ME: &str = "/v1/me";

fn claims(app: &TestApp) -> Value {
    let now = app.clock.now().unix_seconds();
    json!({
        "sub": "user_acme_owner", "iss": ISSUER, "aud": AUDIENCE, "jti": "x", "iat": now,
        "exp": now + 60, "orgId": "org_acme",
    })
}

fn signed(algorithm: Algorithm, claims: &Value, secret: &str) -> String {
    let key = EncodingKey::from_secret(secret.as_bytes());
    encode(&Header::new(algorithm), claims, &key).unwrap()
}

/// `{"alg":"none"}` in front of the claims, and no signature.
fn unsigned(signed: &str) -> String {
    let claims = signed.split('.').nth(1).unwrap();
    format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{claims}.")
}

/// The claims with one of them changed, or taken away by `null`.
fn with(claims: &Value, name: &str, value: Value) -> Value {
    let mut claims = claims.clone();
    let members = claims.as_object_mut().unwrap();
    if value.is_null() {
        members.remove(name);
    } else {
        members.insert(name.to_owned(), value);
    }
    claims
}

async fn forged_tokens_are_refused(backend: Backend) {
    let app = TestApp::start(backend).await;
    let good = claims(&app);
    let hs256 = |claims: &Value| signed(Algorithm::HS256, claims, USER_SECRET);
    let genuine = hs256(&good);
    app.with_token(&genuine).get(ME).await.expect(200);

    let (head, signature) = genuine.rsplit_once('.').unwrap();
    let table = [
        (
            "another secret",
            signed(Algorithm::HS256, &good, "0123456789".repeat(4).as_str()),
        ),
        (
            "the service's secret",
            signed(Algorithm::HS256, &good, SERVICE_SECRET),
        ),
        ("alg none", unsigned(&genuine)),
        (
            "alg none, signed",
            format!("{}{signature}", unsigned(&genuine)),
        ),
        ("HS384", signed(Algorithm::HS384, &good, USER_SECRET)),
        ("HS512", signed(Algorithm::HS512, &good, USER_SECRET)),
        ("no signature", format!("{head}.")),
        ("cut signature", genuine[..genuine.len() - 2].to_owned()),
        ("another issuer", hs256(&with(&good, "iss", json!("evil")))),
        (
            "another audience",
            hs256(&with(&good, "aud", json!("evil"))),
        ),
        ("no issuer", hs256(&with(&good, "iss", Value::Null))),
        ("no audience", hs256(&with(&good, "aud", Value::Null))),
        ("no expiry", hs256(&with(&good, "exp", Value::Null))),
        (
            "expiry that is no number",
            hs256(&with(&good, "exp", json!("never"))),
        ),
        ("no subject", hs256(&with(&good, "sub", Value::Null))),
        (
            "subject that is no id",
            hs256(&with(&good, "sub", json!("a b"))),
        ),
        (
            "unknown user",
            hs256(&with(&good, "sub", json!("user_unknown"))),
        ),
        (
            "another organization",
            hs256(&with(&good, "orgId", json!("org_other"))),
        ),
        (
            "a user as a service",
            hs256(&with(&good, "service", json!(true))),
        ),
        (
            "a service as a user",
            signed(Algorithm::HS256, &good, SERVICE_SECRET),
        ),
        ("an API key that is none", format!("pk_{}", "0".repeat(64))),
        ("a sandbox token that is none", "sbx_1_2_3".to_owned()),
        ("empty", String::new()),
        ("endless", "x".repeat(5000)),
    ];
    for (name, token) in table {
        let answer = app.with_token(token).get(ME).await;
        assert_eq!(answer.status, 401, "{name}: {}", answer.text());
        answer.expect_problem(401, "UNAUTHENTICATED");
    }
    for header in ["Basic dTpw", "Bearer", &genuine] {
        let answer = app
            .anonymous()
            .get(ME)
            .header("authorization", header)
            .await;
        answer.expect_problem(401, "UNAUTHENTICATED");
    }
    let scheme = format!("bearer  {genuine}");
    let answer = app
        .anonymous()
        .get(ME)
        .header("authorization", &scheme)
        .await;
    answer.expect(200);
}

async fn tokens_expire(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (_, key) = app
        .api_key(Person::Owner, Some(Duration::from_mins(30)))
        .await;
    let key = app.with_token(key);
    let user = app.owner();
    let service = app.with_token(app.service_token(&app.acme));
    for client in [&key, &user, &service] {
        client.get(ME).await.expect(200);
    }
    app.clock.advance(Duration::from_mins(30));
    key.get(ME).await.expect_problem(401, "UNAUTHENTICATED");
    user.get(ME).await.expect(200);
    app.clock.advance(Duration::from_mins(31));
    for client in [&user, &service] {
        client.get(ME).await.expect_problem(401, "TOKEN_EXPIRED");
    }
}

async fn a_removed_member_is_unauthenticated_at_once(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (_, key) = app.api_key(Person::Member, None).await;
    let clients = [app.member(), app.with_token(key)];
    for client in &clients {
        client.get(ME).await.expect(200);
    }
    let mut tx = app.database.db.write().await.unwrap();
    let user_id = Person::Member.user_id();
    assert!(
        store::member_delete(&mut tx, &app.acme, &user_id)
            .await
            .unwrap()
    );
    tx.commit().await.unwrap();
    for client in &clients {
        client.get(ME).await.expect_problem(401, "UNAUTHENTICATED");
    }
}

async fn a_changed_role_counts_at_once(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (admin, secret) = (app.person(Person::Admin), json!({"key": "A", "value": "x"}));
    let mut tx = app.database.db.write().await.unwrap();
    store::member_upsert(
        &mut tx,
        &app.acme,
        &Person::Admin.user_id(),
        Role::Member,
        app.clock.now(),
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let answer = admin.post("/v1/secrets", secret).await;
    answer.expect_problem(403, "FORBIDDEN");
}

async fn a_service_acts_only_for_an_organization_that_exists(backend: Backend) {
    let app = TestApp::start(backend).await;
    let me = app.with_token(app.service_token(&app.acme)).get(ME).await;
    let expected = json!({"kind": "service", "organizationId": "org_acme", "organizationName": "acme",
        "name": "worker", "operatesFleet": false});
    assert_eq!(me.expect(200), expected);
    let nowhere = OrganizationId::new("org_nowhere").unwrap();
    let me = app.with_token(app.service_token(&nowhere)).get(ME).await;
    me.expect_problem(401, "UNAUTHENTICATED");
    let elsewhere = app
        .with_token(app.service_token(&app.acme))
        .get(ME)
        .header("x-org-id", "org_other")
        .await;
    elsewhere.expect_problem(404, "NOT_FOUND");
}

async fn a_sandbox_token_dies_with_its_boot_and_its_session(backend: Backend) {
    let app = TestApp::start(backend).await;
    let mut session = app.fixture.session(&app.acme);
    session.incarnation = Incarnation(2);
    app.insert_session(&session).await;
    let current = app.with_token(app.sandbox_token(session.id).await);
    let me = current.get(ME).await.expect(200);
    assert_eq!(me["sessionId"], session.id.to_string());
    for boot in [0, 1, 3] {
        let mut other = session.clone();
        other.incarnation = Incarnation(boot);
        let token = app.app.tokens.mint_sandbox(&other);
        let answer = app.with_token(token.expose_secret()).get(ME).await;
        answer.expect_problem(401, "UNAUTHENTICATED");
    }
    let path = format!("/v1/sessions/{}", session.id);
    app.owner().delete(&path).await.expect(200);
    current.get(ME).await.expect_problem(401, "UNAUTHENTICATED");
}

async fn api_keys_act_for_their_maker_until_they_end(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (key, text) = app.api_key(Person::Admin, None).await;
    let client = app.with_token(text);
    let me = client.get(ME).await.expect(200);
    assert_eq!(me["userId"], "user_acme_admin");
    assert_eq!(me["role"], "admin");
    let answer = client.get(ME).header("x-org-id", "org_other").await;
    answer.expect_problem(404, "NOT_FOUND");
    let path = format!("/v1/api-keys/{}", key.id);
    client.delete(&path).await.expect(200);
    client.get(ME).await.expect_problem(401, "UNAUTHENTICATED");
}

async fn a_request_says_which_of_two_organizations_it_is_for(backend: Backend) {
    let app = TestApp::start(backend).await;
    app.clock.advance(Duration::from_mins(1));
    let user_id = Person::Foreigner.user_id();
    let mut tx = app.database.db.write().await.unwrap();
    store::member_upsert(&mut tx, &app.acme, &user_id, Role::Member, app.clock.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();

    // Which organization the token is for and the header asks for, and where the request acts.
    let (acme, other) = ("org_acme", "org_other");
    let table = [
        (None, None, Ok(other)),
        (None, Some(other), Ok(other)),
        (None, Some(acme), Ok(acme)),
        (Some(acme), None, Ok(acme)),
        (Some(acme), Some(acme), Ok(acme)),
        (Some(acme), Some(other), Err(404)),
        (None, Some("org_nowhere"), Err(404)),
        (Some("org_nowhere"), None, Err(401)),
    ];
    for (token, header, expected) in table {
        let organization_id = token.map(|id| OrganizationId::new(id).unwrap());
        let token = app.user_token_of(&user_id, organization_id, Duration::from_mins(1));
        let mut call = app.with_token(token).get(ME);
        if let Some(header) = header {
            call = call.header("x-org-id", header);
        }
        let answer = call.await;
        match expected {
            Ok(organization) => assert_eq!(answer.expect(200)["organizationId"], organization),
            Err(status) => assert_eq!(answer.status, status, "{}", answer.text()),
        }
    }
}
