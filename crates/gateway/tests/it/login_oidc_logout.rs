//! Signing out: of the identity provider with the login, and of the login with the identity provider.

use std::collections::BTreeMap;

use axum::http::Method;
use domain::limits::{OIDC_ID_TOKEN_KEPT_BYTES_MAX, OIDC_LOGOUT_TOKEN_AGE_MAX};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, jwk::JwkSet};
use reqwest::Url;
use serde_json::{Value, json};
use testkit::{
    app::TestResponse,
    database::Backend,
    standin::oidc::{CLIENT_ID, OidcLie, OidcStandin, Signing},
};

use crate::login_oidc::{Desk, is_out, login_cookie};

testkit::on_both_databases!(
    a_logout_leads_to_the_end_of_the_providers_session,
    a_logout_token_ends_the_logins_of_its_session_or_subject,
    a_logout_token_that_is_not_good_ends_nothing,
);

const END: &str = "https://id.example/end?realm=acme";

fn person(sub: &str, sid: &str) -> Value {
    json!({"sub": sub, "email": format!("{sub}@acme.example"), "email_verified": true, "sid": sid})
}

/// Verifies a token of the stand-in as another well-known library does.
async fn verified(service: &OidcStandin, token: &str) -> Value {
    let url = format!("{}/keys", service.server.base_url);
    let keys = reqwest::get(url).await.unwrap().text().await.unwrap();
    let keys: JwkSet = serde_json::from_str(&keys).unwrap();
    let header = jsonwebtoken::decode_header(token).unwrap();
    let key = keys.find(header.kid.as_ref().unwrap()).unwrap();
    let mut validation = Validation::new(Algorithm::ES256);
    validation.set_audience(&[CLIENT_ID]);
    validation.set_issuer(&[&service.server.base_url]);
    // The clock of the test is not this machine's.
    validation.validate_exp = false;
    let decoded = jsonwebtoken::decode(token, &DecodingKey::from_jwk(key).unwrap(), &validation);
    decoded.unwrap().claims
}

async fn log_out(desk: &Desk, login: &TestResponse) -> TestResponse {
    let call = desk.app.anonymous().call(Method::POST, "/v1/logout");
    let call = call.header("cookie", &login_cookie(login).unwrap());
    call.header("x-proliferate-csrf", "1").await
}

async fn tell(desk: &Desk, token: &str) -> TestResponse {
    let path = "/login/oidc/backchannel-logout";
    let call = desk.app.anonymous().call(Method::POST, path);
    let form = format!("logout_token={token}");
    call.body("application/x-www-form-urlencoded", form).await
}

async fn is_in(desk: &Desk, login: &TestResponse) -> bool {
    let cookie = login_cookie(login).unwrap();
    let me = desk.app.anonymous().get("/v1/me").header("cookie", &cookie);
    me.await.status == 200
}

async fn a_logout_leads_to_the_end_of_the_providers_session(backend: Backend) {
    let desk = Desk::with(backend, Signing::Es256, |_| {}).await;
    desk.service
        .describe(json!({ "end_session_endpoint": END }));
    let login = desk.log_in().await;
    let answer = log_out(&desk, &login).await;
    let url = answer.expect(200)["endSessionUrl"].clone();
    assert!(answer.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert!(!is_in(&desk, &login).await);
    let url = Url::parse(url.as_str().unwrap()).unwrap();
    assert!(url.as_str().starts_with(END), "{url}");
    let query: BTreeMap<_, _> = url.query_pairs().into_owned().collect();
    assert_eq!(query["client_id"], CLIENT_ID);
    assert_eq!(
        query["post_logout_redirect_uri"],
        "http://gateway.test/login"
    );
    assert_eq!(
        verified(&desk.service, &query["id_token_hint"]).await["sub"],
        "subject-1"
    );
    // There is nothing left to end.
    assert_eq!(log_out(&desk, &login).await.status, 204);
    // A token that is too long for a URL is not kept.
    let long = "x".repeat(OIDC_ID_TOKEN_KEPT_BYTES_MAX);
    let mut claims = person("subject-1", "sid");
    claims["picture"] = json!(format!("https://id.example/{long}"));
    let login = desk.log_in_as(claims).await;
    let url = log_out(&desk, &login).await.expect(200)["endSessionUrl"].clone();
    assert!(!url.as_str().unwrap().contains("id_token_hint"), "{url}");
}

#[tokio::test]
async fn without_an_end_of_session_a_logout_is_as_before() {
    let desk = Desk::start(Backend::Sqlite).await;
    assert_eq!(log_out(&desk, &desk.log_in().await).await.status, 204);
}

async fn a_logout_token_ends_the_logins_of_its_session_or_subject(backend: Backend) {
    let desk = Desk::with(backend, Signing::Es256, |_| {}).await;
    let mut logins = Vec::new();
    for (sub, sid) in [("ada", "s1"), ("ada", "s2"), ("ada", "s3"), ("bob", "s4")] {
        logins.push(desk.log_in_as(person(sub, sid)).await);
    }
    let steps = [
        (json!({"sid": "s1"}), [false, true, true, true]),
        // A session of another subject is not hers.
        (
            json!({"sid": "s4", "sub": "ada"}),
            [false, true, true, true],
        ),
        (
            json!({"sid": "s2", "sub": "ada"}),
            [false, false, true, true],
        ),
        (json!({"sub": "ada"}), [false, false, false, true]),
        // Ended before.
        (json!({"sub": "ada"}), [false, false, false, true]),
    ];
    for (claims, expected) in steps {
        let token = desk.service.logout_token(&claims);
        assert_eq!(verified(&desk.service, &token).await["aud"], CLIENT_ID);
        let answer = tell(&desk, &token).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        for (login, expected) in logins.iter().zip(expected) {
            assert_eq!(is_in(&desk, login).await, expected, "{claims}");
        }
    }
    let events = desk.events().await;
    let ends = events
        .iter()
        .filter(|line| line.contains("oidc:default login_end login/"));
    assert_eq!(ends.count(), 3, "{events:#?}");
}

async fn a_logout_token_that_is_not_good_ends_nothing(backend: Backend) {
    let (desk, other) = Desk::with_two(backend, |_, other| {
        "other".clone_into(&mut other.name);
    })
    .await;
    let login = desk.log_in_as(person("ada", "s1")).await;
    let service = &desk.service;
    let token = |claims: Value| service.logout_token(&claims);
    let now = desk.app.app.now().unix_seconds();
    let age = i64::try_from(OIDC_LOGOUT_TOKEN_AGE_MAX.as_secs()).unwrap();
    let lied = |lie: OidcLie| {
        service.lie(Some(lie));
        let token = token(json!({"sub": "ada"}));
        service.lie(None);
        token
    };
    let of_other = "logout_token_of_another_client";
    let malformed = "logout_token_malformed";
    let signature = "logout_token_signature";
    let table = [
        ("no token".to_owned(), malformed),
        (
            token(json!({"sub": "ada", "iss": "https://evil.example"})),
            of_other,
        ),
        (
            token(json!({"sub": "ada", "aud": ["another-client"]})),
            of_other,
        ),
        (
            token(json!({"sub": "ada", "nonce": "n"})),
            "logout_token_has_nonce",
        ),
        (token(json!({})), "logout_token_names_nobody"),
        (
            token(json!({"sub": "ada", "events": {}})),
            "not_a_logout_token",
        ),
        (token(json!({"sub": "ada", "jti": null})), malformed),
        (
            token(json!({"sub": "ada", "iat": now - 2 * age})),
            "logout_token_expired",
        ),
        (
            token(json!({"sub": "ada", "iat": now + age})),
            "logout_token_expired",
        ),
        (
            token(json!({"sub": "ada", "exp": now - age})),
            "logout_token_expired",
        ),
        (token(json!({"sub": "ada", "iat": -1})), "logout_token_time"),
        (lied(OidcLie::Unsigned), malformed),
        (lied(OidcLie::SignedWithSecret), malformed),
        (lied(OidcLie::UnknownKey), signature),
        (lied(OidcLie::WrongSignature), signature),
        (lied(OidcLie::Altered), signature),
        // Signed by another provider, in the name of this one.
        (
            other.logout_token(&json!({"sub": "ada", "iss": service.server.base_url})),
            signature,
        ),
    ];
    for (token, reason) in table {
        let answer = tell(&desk, &token).await;
        assert_eq!(answer.status, 400, "{reason}: {}", answer.text());
        assert_eq!(answer.json()["error"], "invalid_request");
        // What could be anybody's is counted alone.
        let is_recorded = ![malformed, of_other].contains(&reason);
        assert_eq!(desk.refusals(reason).await > 0, is_recorded, "{reason}");
        assert!(is_in(&desk, &login).await, "{reason}");
    }
    // Another provider's token about a subject of the same name is good, and ends nothing here.
    let answer = tell(&desk, &other.logout_token(&json!({"sub": "ada"}))).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(is_in(&desk, &login).await);
    // A token counts once.
    let good = token(json!({"sub": "ada"}));
    assert_eq!(tell(&desk, &good).await.status, 200);
    assert!(!is_in(&desk, &login).await);
    let again = desk.log_in().await;
    assert_eq!(tell(&desk, &good).await.status, 400);
    assert!(is_in(&desk, &again).await);
    assert_eq!(desk.refusals("logout_token_replayed").await, 1);
    // An ID token is none.
    is_out(&tell(&desk, "").await, 400, "invalid_request");
}
